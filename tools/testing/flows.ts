import type { CallName } from '../../contract/calls.ts';
import type { TestServer, Visitor } from './server.ts';

interface Template {
  readonly key: string;
  readonly name: string;
  readonly stages: Record<string, unknown>[];
  readonly actions: Record<string, unknown>[];
}
export interface Saved {
  readonly id: string;
  readonly version: number;
  readonly revision: number;
}
/** Where an order stands, as far as tests look at it. */
export interface OrderStatus {
  readonly stage: { readonly name: string; readonly dueAt: string | null } | null;
  readonly held: boolean;
  readonly moves: number;
  readonly mayStart: boolean;
  readonly workflow: { readonly version: number } | null;
  readonly actions: { key: string; mine: boolean; roles: string[]; blocked: string[] }[];
  readonly history: { action: string | null; by: string; comment: string; minutes: number | null }[];
  readonly logistics: { carrier: string } | null;
}

/** Workflows of SHARMA made from the templates. */
export const flowsOf = (at: () => { readonly server: TestServer; readonly owner: Visitor }) => {
  const ask = async <T>(name: CallName, input: object) =>
    (await at().owner.ask(name as 'GetSession', input as never)) as unknown as T;
  const templateOf = async (family: string, key: string): Promise<Template> => {
    const all = await ask<Template[]>('GetOMSWorkflowTemplateDetails', { TransactionType: family });
    return all.find((one) => one.key === key) as Template;
  };
  /** The id of a role. */
  const roleOf = async (name: string): Promise<string> => {
    const { rows } = await at().server.database.owner.query<{ id: string }>(
      'select id from roles where organisation = 1 and name = $1',
      [name],
    );
    return rows[0]?.id ?? '';
  };
  return {
    templateOf,
    /** What is saved of a template when everything is for these roles. */
    definition: async (family: string, key: string, ...names: readonly string[]) => {
      const { name, stages, actions } = await templateOf(family, key);
      const roles = await Promise.all(names.map(roleOf));
      return { TransactionType: family, name, stages, actions: actions.map((action) => ({ ...action, roles })) };
    },
    publish: async (input: object): Promise<Saved> => {
      const { id, revision } = await ask<Saved>('SaveWorkflow', input);
      return ask<Saved>('PublishWorkflow', { id, revision });
    },
  };
};
