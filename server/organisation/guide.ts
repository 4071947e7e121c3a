import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { type GuideFact, type GuideStepName, guideStep, guideStepNames, saleKinds } from '../../contract/guide.ts';
import type { guideCalls } from '../../contract/guide-calls.ts';
import { say } from '../../domain/base/say.ts';
import { kindNames } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';

interface Known {
  readonly facts: Readonly<Record<GuideFact, boolean>>;
  readonly kinds: readonly string[];
  readonly marks: Readonly<Partial<Record<GuideStepName, 'skipped' | 'done'>>>;
  readonly einvoice: boolean;
  readonly sale: { readonly id: string; readonly kind: string } | null;
}

/** All that the steps depend on, in one question. */
async function knownOf({ organisation, locations, inTransaction }: Context): Promise<Known> {
  const { rows } = await inTransaction((trx) =>
    sql<Known>`
      select
        jsonb_build_object(
          'profile', (
            select bool_and(coalesce(o.body ->> field, '') <> '') from unnest(array['businessType', 'phone', 'email']) field
          ),
          'logo', o.body ->> 'logo' is not null,
          'bank', exists (
            select from masters m where m.organisation = o.organisation and m.master = 'bank' and m.active
          ),
          'customer', exists (
            select from parties p
            where p.organisation = o.organisation and p.side in ('customer', 'both') and p.active
          ),
          'item', exists (select from items i where i.organisation = o.organisation and i.active),
          'team', (select count(*) from users u where u.organisation = o.organisation and u.active) > 1,
          'credentials', exists (select from credentials c where c.organisation = o.organisation)
        ) as facts,
        array(
          select k
          from unnest(${kindNames}::text[]) k
          where exists (select from documents d where d.organisation = o.organisation and d.kind = k)
        ) as kinds,
        coalesce(o.body -> 'guide', '{}') as marks,
        exists (
          select from registrations r
          where r.organisation = o.organisation and r.active and (r.body ->> 'einvoice')::boolean
        ) as einvoice,
        (
          select jsonb_build_object('id', d.id, 'kind', d.kind)
          from documents d
          where d.organisation = o.organisation
            and d.kind = any(${saleKinds}::text[])
            and (${locations.length === 0} or d.location = any(${[...locations]}::uuid[]))
          order by d.date desc, d.id desc
          limit 1
        ) as sale
      from organisations o
      where o.organisation = ${organisation}
    `.execute(trx),
  );
  const [known] = rows;
  if (!known) throw new Error('there is no such organisation');
  return known;
}

const isDone = (name: GuideStepName, { facts: found, kinds, marks }: Known): boolean => {
  const { done } = guideStep(name);
  if (done === 'opened') return marks[name] === 'done';
  return typeof done === 'string' ? found[done] : done.some((kind) => kinds.includes(kind));
};

/** The steps to the first invoice: what is done is read from the books, what is skipped is kept in the profile. */
export const guideHandlers: Handlers<typeof guideCalls, Context> = {
  GetSetUp: async (_, context) => {
    const known = await knownOf(context);
    const concerning = guideStepNames.filter((name) => {
      const { needs, einvoice } = guideStep(name);
      return (!needs || context.settings[needs] === true) && (!einvoice || known.einvoice);
    });
    const stateOf = (name: GuideStepName) =>
      isDone(name, known) ? 'done' : known.marks[name] === 'skipped' ? 'skipped' : 'open';
    return { steps: concerning.map((step) => ({ step, state: stateOf(step) })), sale: known.sale };
  },
  MarkSetUpStep: ({ step, mark }, { organisation, inTransaction }) =>
    inTransaction(async (trx) => {
      if (mark === 'done' && guideStep(step).done !== 'opened')
        throw new Problems([{ field: 'mark', ...say('Whether this step is done follows from the books') }]);
      const kept = sql`coalesce(body -> 'guide', '{}')`;
      const marks =
        mark === null ? sql`${kept} - ${step}::text` : sql`${kept} || jsonb_build_object(${step}::text, ${mark}::text)`;
      await sql`
        update organisations
        set body = body || jsonb_build_object('guide', ${marks})
        where organisation = ${organisation}
      `.execute(trx);
      return {};
    }),
};
