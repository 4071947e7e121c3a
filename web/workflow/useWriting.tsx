import { useState } from 'react';
import { type Definition, publishProblems } from '../../domain/workflow/definition.ts';
import { type FlowFamily, families } from '../../domain/workflow/families.ts';
import { fieldsIn } from '../../domain/workflow/orders.ts';
import { toast } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { useFieldProblems } from '../kit/fields/fieldProblems.ts';
import { focusFirstError } from '../kit/fields/fields.tsx';
import { stopsAtUnchosen } from '../kit/fields/typing.ts';
import { useWarning } from '../kit/fields/warning.ts';
import { useGo } from '../kit/navigation.tsx';
import { inLanguage, type Problem, Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';
import { useStoredState } from '../kit/server/useStoredState.ts';
import { t } from '../kit/text.ts';
import { StaleDialog } from '../views/master/StaleDialog.tsx';
import type { View } from './flow.ts';
import { apart } from './merging.ts';

/** What is typed and not saved, over the version it was begun with. */
interface Kept {
  readonly typed: Definition;
  readonly base: View | undefined;
  readonly anew: boolean;
  readonly known: Readonly<Record<string, string>>;
}

const written = ({ name, stages, actions }: Definition): Definition => ({ name, stages, actions });
const isSame = (one: Definition, other: Definition): boolean =>
  JSON.stringify(written(one)) === JSON.stringify(written(other));

/** What publishing asks for; which roles are in use is known to the server alone. */
const problemsOf = (family: FlowFamily, definition: Definition): readonly Problem[] => {
  const roles = new Set(definition.actions.flatMap((action) => action.roles));
  return publishProblems(family, definition, roles, fieldsIn(family)).map(inLanguage);
};

interface WritingProps {
  /** As the server last answered. */
  readonly stored: View | undefined;
  readonly family: FlowFamily;
  /** What a new one begins with. */
  readonly begin: Definition;
  readonly names: Readonly<Record<string, string>>;
  readonly mayWrite: boolean;
}

/**
 * A workflow as it is typed over the version that it was begun with. Saving over somebody else's changes shows who
 * changed what, and asks whose value counts, field by field, as in the forms of masters; when there is no draft to be saved over
 * any more, what is typed becomes a new version.
 */
export function useWriting(props: WritingProps) {
  const { family } = props;
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  const writing = useTyped(props, theirs !== null);
  const { typed, base, anew, known, put, setKnown } = writing;
  const [found, setFound] = useState<readonly Problem[]>([]);
  const { busy, error: refused, run, forget } = useRun();
  const { problems, error } = useFieldProblems(
    refused,
    { ...typed },
    { found, judge: (now) => problemsOf(family, now as unknown as Definition) },
  );
  const attempt = async (work: () => Promise<void>) => {
    setFound([]);
    await run(() =>
      work().catch(async (refusal: unknown) => {
        if (!(refusal instanceof Refused && refusal.code === 'stale' && base)) throw refusal;
        setTheirs({ view: await api.GetWorkFlowDefinitionById({ id: base.id }), who: refusal.message });
      }),
    );
    focusFirstError();
  };
  /** Whether it can be published as it is typed; what is wrong is shown otherwise. */
  const isPublishable = () => {
    const wrong = problemsOf(family, typed);
    setFound(wrong);
    forget();
    if (wrong.length > 0) focusFirstError();
    return wrong.length === 0;
  };
  return {
    typed,
    /** The version that is shown; undefined for one that was never saved. */
    version: anew ? undefined : base,
    /** The version that is no draft any more, of what becomes a new one. */
    ended: anew ? base : undefined,
    known,
    ...{ isDraft: writing.isDraft, editable: writing.editable, dirty: writing.dirty, busy, error, problems },
    /** What is wrong with all of it, found before anybody was asked. */
    whole: refused === null ? problems.filter(({ field, row }) => row === undefined && field !== 'name') : [],
    change: (more: Partial<Definition>) => put({ typed: { ...typed, ...more } }),
    name: (id: string, name: string) => setKnown({ ...known, [id]: name }),
    ...useWritingActions(family, writing, attempt, isPublishable),
    /** To be drawn with the form. */
    dialog: theirs && <Merging theirs={theirs} writing={writing} onClose={() => setTheirs(null)} />,
  };
}

/** What is typed, over the version it was begun with; it outlives the page until it is saved. */
function useTyped({ stored, family, begin, names, mayWrite }: WritingProps, isMerging: boolean) {
  const kept = useStoredState<Kept>(
    useScreenKey('workflow', stored?.id ?? t('new {{family}} {{name}}', { family, name: begin.name })).join('/'),
  );
  const [now, setNow] = useState<Omit<Kept, 'known'>>(() => ({
    typed: kept.first?.typed ?? written(begin),
    base: kept.first?.base ?? stored,
    anew: kept.first?.anew ?? false,
  }));
  // names of the roles that stand in it
  const [known, setKnown] = useState({ ...names, ...kept.first?.known });
  const { typed, base, anew } = now;
  const dirty = !base || !isSame(typed, base);
  // nobody is typing: what somebody else has saved is shown
  if (stored && base && stored.revision > base.revision && !dirty && !isMerging)
    setNow({ typed: written(stored), base: stored, anew: false });
  const isDraft = !base || anew || base.status === 'draft';
  const editable = mayWrite && isDraft;
  const touched = editable && !isSame(typed, base ?? begin);
  kept.hold(touched ? { typed, base, anew, known } : undefined);
  useWarning(touched);
  return {
    ...{ typed, base, anew, known, dirty, isDraft, editable },
    put: (more: Partial<typeof now>) => setNow((before) => ({ ...before, ...more })),
    setKnown,
    drop: kept.drop,
  };
}
type Writing = ReturnType<typeof useTyped>;

/** Saves what is typed: over its draft, or as a new version. */
async function save(family: FlowFamily, { typed, base, anew, dirty, put, drop }: Writing) {
  const body = {
    name: typed.name,
    stages: typed.stages.map((stage) => ({ ...stage, fields: [...stage.fields], facts: [...stage.facts] })),
    actions: typed.actions.map((action) => ({ ...action, roles: [...action.roles] })),
  };
  if (!base || anew) {
    const made = await api.SaveWorkflow({ TransactionType: family, ...body });
    drop();
    return made;
  }
  if (!dirty) return base;
  const saved = await api.UpdateWorkflow({ id: base.id, revision: base.revision, ...body });
  put({ base: { ...base, ...body, revision: saved.revision } });
  return saved;
}

/** What somebody does with what is typed. */
function useWritingActions(
  family: FlowFamily,
  writing: Writing,
  attempt: (work: () => Promise<void>) => Promise<void>,
  isPublishable: () => boolean,
) {
  const go = useGo();
  const { base, drop } = writing;
  const keep = async () => {
    if (stopsAtUnchosen()) return;
    await attempt(async () => {
      const { id, version } = await save(family, writing);
      toast(t('Version {{version}} is kept as a draft', { version }));
      go('Workflow', { id }, true);
    });
  };
  const publish = () => {
    if (stopsAtUnchosen() || !isPublishable()) return;
    void attempt(async () => {
      const { id, revision, version } = await save(family, writing);
      try {
        await api.PublishWorkflow({ id, revision });
        toast(
          t('Version {{version}} is published: {{label}} follow it from now on', {
            version,
            label: families[family].label.toLowerCase(),
          }),
        );
      } finally {
        go('Workflow', { id }, true);
      }
    });
  };
  const cancel = () =>
    attempt(async () => {
      if (!base) return;
      await api.CancelWorkflow({ id: base.id, revision: base.revision });
      drop();
      toast(t('{{name}} is given up', { name: base.name || t('The draft') }));
      go('Workflow Management');
    });
  return { keep, publish, cancel };
}

/** What somebody else has saved meanwhile. */
interface Theirs {
  readonly view: View;
  readonly who: string;
}

interface MergingProps {
  readonly theirs: Theirs;
  readonly writing: Writing;
  onClose(): void;
}

/** Asks whose value counts, field by field. */
function Merging({ theirs: { view, who }, writing, onClose }: MergingProps) {
  const { typed, base, known, put, setKnown } = writing;
  if (!base) return null;
  const sides = apart(base, typed, view, { ...known, ...view.roleNames });
  return (
    <StaleDialog
      fields={sides.fields}
      who={who}
      opened={sides.opened}
      mine={sides.mine}
      theirs={sides.theirs}
      onClose={onClose}
      onMerged={(values) => {
        const merged = sides.join(values);
        put({ typed: merged, base: view, anew: view.status !== 'draft' && !isSame(merged, view) });
        setKnown((now) => ({ ...now, ...view.roleNames }));
        onClose();
      }}
    />
  );
}
