import { useState } from 'react';
import { type Definition, publishProblems, type Wrong } from '../../domain/workflow/definition.ts';
import { type FlowFamily, families, isFamily } from '../../domain/workflow/families.ts';
import { fieldsIn } from '../../domain/workflow/orders.ts';
import { templates } from '../../domain/workflow/templates.ts';
import { Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Confirm } from '../kit/Dialog.tsx';
import { focusFirstError, TextField } from '../kit/fields.tsx';
import { showMoment } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { ActionBar, Badge, Empty, ErrorPanel, Page, PageHead, Panel, Skeleton } from '../kit/parts.tsx';
import { useCall, useDateFormat, useMayWrite, useScreenKey } from '../kit/session.ts';
import { toast } from '../kit/toast.tsx';
import { useKept } from '../kit/useKept.ts';
import { useRun } from '../kit/useRun.ts';
import { useWarning } from '../kit/warning.ts';
import { Actions } from './Actions.tsx';
import { states, type View } from './flow.ts';
import { Stages } from './Stages.tsx';
import '../views/views.css';
import './workflow.css';

/** One version of a workflow: written as a draft, published, or looked at. `from`: a version that a new one begins with. */
export function Workflow() {
  const { id, from, family, template } = useAddress();
  const go = useGo();
  const known = id ?? from;
  const { data, error, refetch } = useCall<View>(
    'workflow/GetWorkFlowDefinitionById',
    { id: known },
    known !== undefined,
  );
  if (known === undefined && (family === undefined || !isFamily(family)))
    return (
      <Page narrow>
        <PageHead title="Workflow" />
        <Empty
          sentence="Choose a workflow"
          action={<Button onClick={() => go('Workflow Management')}>Workflow management</Button>}
        />
      </Page>
    );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (known !== undefined) {
    if (data?.id !== known) return <Skeleton />;
    return (
      <Written
        key={`${known}${id ? '' : 'new'}`}
        stored={id ? data : undefined}
        family={data.family}
        begin={data}
        names={data.roleNames}
      />
    );
  }
  const chosen = templates[family as FlowFamily].find(({ key }) => key === template);
  const begin = chosen ?? { name: '', stages: [], actions: [] };
  return (
    <Written key={`${family}${template}`} stored={undefined} family={family as FlowFamily} begin={begin} names={{}} />
  );
}

interface Kept {
  readonly typed: Definition;
  readonly base: View | undefined;
  readonly known: Readonly<Record<string, string>>;
}

const written = ({ name, stages, actions }: Definition): Definition => ({ name, stages, actions });

function Written({
  stored,
  family,
  begin,
  names,
}: {
  readonly stored: View | undefined;
  readonly family: FlowFamily;
  readonly begin: Definition;
  readonly names: Readonly<Record<string, string>>;
}) {
  const go = useGo();
  const { format } = useDateFormat();
  const mayWrite = useMayWrite('Workflow Management');
  const kept = useKept<Kept>(useScreenKey('workflow', stored?.id ?? `new ${family} ${begin.name}`).join('/'));
  const [typed, setTyped] = useState<Definition>(() => kept.first?.typed ?? written(begin));
  // names of the roles that stand in it
  const [known, setKnown] = useState({ ...names, ...kept.first?.known });
  const [problems, setProblems] = useState<readonly Wrong[]>([]);
  const [cancelling, setCancelling] = useState(false);
  const { busy, error, run } = useRun();
  const isDraft = !stored || stored.status === 'draft';
  const editable = mayWrite && isDraft;
  // what is typed here began with this: who changed it meanwhile is not written over
  const [base, setBase] = useState(kept.first?.base ?? stored);
  const dirty = !base || JSON.stringify(typed) !== JSON.stringify(written(base));
  if (stored && base && stored.revision > base.revision && !dirty) {
    setBase(stored);
    setTyped(written(stored));
  }
  const touched = editable && JSON.stringify(typed) !== JSON.stringify(written(base ?? begin));
  kept.hold(touched ? { typed, base, known } : undefined);
  useWarning(touched);
  const change = (more: Partial<Definition>) => {
    setTyped({ ...typed, ...more });
    setProblems([]);
  };
  const refused = error instanceof Refused ? error : undefined;
  const told = problems.length > 0 ? problems : (refused?.problems ?? []);
  const whole = told.filter(({ field, row }) => row === undefined && field !== 'name');
  const save = async () => {
    const body = {
      name: typed.name,
      stages: typed.stages.map((stage) => ({ ...stage, fields: [...stage.fields], facts: [...stage.facts] })),
      actions: typed.actions.map((action) => ({ ...action, roles: [...action.roles] })),
    };
    if (!base) {
      const made = await api.SaveWorkflow({ TransactionType: family, ...body });
      kept.drop();
      return made;
    }
    if (!dirty) return base;
    const saved = await api.UpdateWorkflow({ id: base.id, revision: base.revision, ...body });
    setBase({ ...base, ...body, revision: saved.revision });
    return saved;
  };
  const attempt = async (work: () => Promise<void>) => {
    setProblems([]);
    await run(work);
    focusFirstError();
  };
  const keep = () =>
    attempt(async () => {
      const { id, version } = await save();
      toast(`Version ${version} is kept as a draft`);
      go('Workflow', { id }, true);
    });
  const publish = () => {
    // which roles are in use is known to the server alone
    const roles = new Set(typed.actions.flatMap((action) => action.roles));
    const wrong = publishProblems(family, typed, roles, fieldsIn(family));
    setProblems(wrong);
    if (wrong.length > 0) return focusFirstError();
    void attempt(async () => {
      const { id, revision, version } = await save();
      try {
        await api.PublishWorkflow({ id, revision });
        toast(`Version ${version} is published: ${families[family].label.toLowerCase()} follow it from now on`);
      } finally {
        go('Workflow', { id }, true);
      }
    });
  };
  const cancel = () =>
    attempt(async () => {
      setCancelling(false);
      if (!stored) return;
      kept.drop();
      await api.CancelWorkflow({ id: stored.id, revision: stored.revision });
      toast(`${stored.name || 'The draft'} is given up`);
      go('Workflow Management');
    });
  useKeys(editable ? { 'ctrl+s': () => void keep() } : {});
  const [word, tone] = states[stored?.status ?? 'draft'];
  return (
    <>
      <Page narrow>
        <PageHead
          title={typed.name || 'New workflow'}
          count={`${families[family].label}${stored ? ` · version ${stored.version}` : ''}`}
          beside={stored && <Badge word={word} tone={tone} />}
          actions={
            mayWrite &&
            !isDraft && <Button onClick={() => go('Workflow', { from: stored.id })}>Change as a new version</Button>
          }
        />
        {stored && !isDraft && (
          <p className="muted">
            {stored.publishedAt
              ? `Published by ${stored.publishedBy} on ${showMoment(stored.publishedAt, format)}.`
              : 'Never published.'}{' '}
            {stored.running === 0
              ? 'No order is under way on it.'
              : `${stored.running} ${stored.running === 1 ? 'order is' : 'orders are'} under way on it and ${stored.running === 1 ? 'stays' : 'stay'} on it.`}
          </p>
        )}
        {error != null && <ErrorPanel error={error} />}
        {whole.length > 0 && problems.length > 0 && (
          <div className="error-panel" role="alert" tabIndex={-1}>
            <ul>
              {whole.map(({ message }) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          </div>
        )}
        <Panel title="Workflow">
          <div className="fields">
            <TextField
              label="Name"
              name="name"
              required
              span={2}
              maxLength={60}
              readOnly={!editable}
              value={typed.name}
              error={told.find(({ field }) => field === 'name')?.message}
              onChange={(name) => change({ name })}
            />
          </div>
        </Panel>
        <Stages
          family={family}
          stages={typed.stages}
          actions={typed.actions}
          problems={told}
          editable={editable}
          onChange={change}
        />
        <Actions
          stages={typed.stages}
          actions={typed.actions}
          problems={told}
          names={known}
          onName={(id, name) => setKnown({ ...known, [id]: name })}
          editable={editable}
          onChange={(actions) => change({ actions })}
        />
      </Page>
      {mayWrite && (isDraft || stored.status === 'published') && (
        <ActionBar>
          {stored && (
            <Button look="danger" onClick={() => setCancelling(true)}>
              Cancel
            </Button>
          )}
          {isDraft && (
            <>
              <Button busy={busy} disabled={!dirty} title="Ctrl S" onClick={() => void keep()}>
                {stored ? 'Update' : 'Save as Draft'}
              </Button>
              <Button look="primary" busy={busy} onClick={publish}>
                Publish
              </Button>
            </>
          )}
        </ActionBar>
      )}
      <Confirm
        open={cancelling}
        question={isDraft ? 'Give this draft up?' : `Cancel ${stored.name}?`}
        consequence={
          isDraft
            ? 'It is kept among the versions and can be begun with again.'
            : 'Orders posted from now on go through no stages. Those that are under way go on to their end.'
        }
        verb={isDraft ? 'Give up' : 'Cancel workflow'}
        onConfirm={cancel}
        onClose={() => setCancelling(false)}
      />
    </>
  );
}
