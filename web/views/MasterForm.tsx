import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { masterCalls } from '../../contract/master-calls.ts';
import type { Master } from '../../contract/masters.ts';
import { ownScreen, screenOf } from '../../contract/screens.ts';
import { isKind, kindLabel } from '../../domain/document/kinds/index.ts';
import { AccountLinks } from '../accounts/AccountLinks.tsx';
import { Button } from '../kit/Button.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useFieldProblems } from '../kit/fields/fieldProblems.ts';
import { focusFirstError } from '../kit/fields/fields.tsx';
import { useOwnMaster } from '../kit/fields/own-master.ts';
import { stopsAtUnchosen } from '../kit/fields/typing.ts';
import { useWarning } from '../kit/fields/warning.ts';
import { inSentence } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { ScreenLink, useAddress, useGo, useHasGoneOn } from '../kit/navigation.tsx';
import { ActionBar, Badge, Empty, ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import { type Problem, problemsIn, Refused, reasonOf, withProblems } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useMayOpen, useMayWrite, useScreenKey, useSession } from '../kit/server/session.ts';
import { useStoredState } from '../kit/server/useStoredState.ts';
import { Access } from './master/Access.tsx';
import { Duplicates } from './master/Duplicates.tsx';
import { following } from './master/following.ts';
import { History } from './master/History.tsx';
import { MasterFields } from './master/MasterFields.tsx';
import { MasterPanel } from './master/MasterPanel.tsx';
import type { problemsOf } from './master/problems.ts';
import { Retire } from './master/Retire.tsx';
import { SignInLink } from './master/SignInLink.tsx';
import { StaleDialog } from './master/StaleDialog.tsx';
import { StockLevels } from './master/StockLevels.tsx';
import { initialValues, sendable, textOf, type Values } from './master/values.ts';
import './views.css';

/** What judges a form comes with the schemas it is made of, a third of the form's weight: nobody needs it before he has typed. */
const fetchCheck = async (): Promise<typeof problemsOf> => (await import('./master/problems.ts')).problemsOf;

const Pictures = lazy(async () => ({ default: (await import('../items/Pictures.tsx')).Pictures }));

export type MasterRecord = z.output<(typeof masterCalls)['ListMasters']['details']>['rows'][number];
type Opened = z.output<(typeof masterCalls)['GetMaster']['details']>;

/** One record of a master: its fields in their sections, its history, and how to retire it. */
export function MasterForm({ master: name }: { readonly master: string }) {
  const { id } = useAddress();
  const fresh = id === undefined || id === 'new';
  const key = useScreenKey('master', name, id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.GetMaster({ master: name, id: id ?? '' }),
    enabled: !fresh,
    // What is being edited is not replaced behind the person's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { master, known } = useOwnMaster(name);
  if (!known) return <Skeleton />;
  if (fresh && master.retire === 'never') return <ChooseFirst name={name} master={master} />;
  if (fresh) return <Editing key="new" name={name} master={master} record={null} />;
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) return <Skeleton />;
  return <Held key={data.id} name={name} master={master} latest={data} />;
}

/** What somebody is typing into is not replaced behind his back; a form that nobody has touched follows what is kept. */
function Held({ name, master, latest }: { readonly name: string; readonly master: Master; readonly latest: Opened }) {
  const [record, setRecord] = useState(latest);
  const [dirty, setDirty] = useState(false);
  if (!dirty && latest.version !== record.version) setRecord(latest);
  return <Editing key={record.version} name={name} master={master} record={record} onDirty={setDirty} />;
}

/** What the address names of the fields that take several kinds of document. */
const pickedIn = (
  fields: Master['fields'],
  address: Readonly<Record<string, string>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { type, pick }]) => {
      const named = type === 'picks' && pick === 'kind' ? (address[name] ?? '').split(',').filter(isKind) : [];
      return named.length > 0 ? [[name, named]] : [];
    }),
  );
const kindNamesIn = (picked: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(picked).flatMap(([name, kinds]) => kinds.map((kind) => [`${name}.${kind}`, kindLabel(kind)])),
  );

/** What a new record begins with that depends on us. */
const usualHere = (fields: Master['fields'], state: string | undefined): Values =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, { usual }]) => (usual && state ? [[key, state]] : [])));

/** What is typed and not saved, over what it was begun with. */
interface Typed {
  readonly opened: Values;
  readonly values: Values;
  readonly version: number | undefined;
  readonly names: Readonly<Record<string, string>>;
}

const isFilled = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : textOf(value) !== '');

/** Of what is not made by hand there is no blank form. */
function ChooseFirst({ name, master }: { readonly name: string; readonly master: Master }) {
  const list = screenOf({ master: name }, 'masterList');
  return (
    <Page narrow>
      <PageHead title={master.label} />
      <Empty
        sentence={`Choose one of the ${inSentence(master.plural)}`}
        action={list && <ScreenLink screen={list}>Open {inSentence(master.plural)}</ScreenLink>}
      />
    </Page>
  );
}

function Editing({
  name,
  master,
  record,
  onDirty,
}: {
  readonly name: string;
  readonly master: Master;
  readonly record: Opened | null;
  onDirty?(dirty: boolean): void;
}) {
  const go = useGo();
  const session = useSession();
  const hasGoneOn = useHasGoneOn();
  const cache = useQueryClient();
  const address = useAddress();
  // who comes from a place that knows what is wanted finds it picked
  const [picked] = useState(() => (record ? {} : pickedIn(master.fields, address)));
  const [blank] = useState<Values>(() => ({
    ...initialValues(master.fields),
    ...usualHere(master.fields, session.registrations[0]?.state),
    ...picked,
  }));
  const typed = useStoredState<Typed>(useScreenKey('typed', name, record?.id ?? 'new').join('/'));
  const [opened] = useState<Values>(() => typed.first?.opened ?? record?.values ?? blank);
  const [values, setValues] = useState(typed.first?.values ?? opened);
  const [version, setVersion] = useState(typed.first?.version ?? record?.version);
  const [found, setFound] = useState<readonly Problem[]>([]);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [check, setCheck] = useState<{ readonly of: typeof problemsOf } | null>(null);
  const { problems, error } = useFieldProblems(refusal, values, {
    found,
    ...(check && { judge: (now: Values) => check.of(master.fields, now) }),
  });
  const [busy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<{ readonly record: MasterRecord; readonly who: string } | null>(null);
  const list = screenOf({ master: name }, 'masterList');
  const mayOpen = useMayOpen();
  const mayWrite = useMayWrite(screenOf({ master: name }, 'masterForm') ?? list ?? 'General Configuration');
  const own = master.view ? ownScreen(master.view) : undefined;
  const view = own && mayOpen(own) ? own : undefined;
  const dirty = values !== opened;
  useWarning(dirty);
  useEffect(() => onDirty?.(dirty), [dirty, onDirty]);
  useEffect(() => {
    if (dirty) fetchCheck().catch(() => undefined); // it is asked for again by what saves
  }, [dirty]);
  const back = () => {
    typed.drop();
    if (hasGoneOn()) return;
    if (list) go(list);
    else window.history.back();
  };
  const [names, setNames] = useState<Readonly<Record<string, string>>>(() => typed.first?.names ?? kindNamesIn(picked));
  useEffect(() => typed.hold(dirty ? { opened, values, version, names } : undefined));
  const change = (patch: Values) => {
    setValues((now) => ({ ...now, ...patch, ...following(master, now, patch) }));
    const giver = Object.keys(patch).find((field) => master.fields[field]?.gives && textOf(patch[field]) !== '');
    if (giver) void fillUsual(textOf(patch[giver]));
  };
  const [given, setGiven] = useState<Values>({});
  /** What nobody has filled yet follows what was picked, also when another is picked; who cannot learn it types it. */
  const fillUsual = async (picked: string) => {
    const usual = await api.GetCategoryUsual({ category: picked }).catch(() => null);
    if (!usual) return;
    const first = initialValues(master.fields);
    const isFree = (field: string, now: Values) =>
      textOf(now[field]) === '' || now[field] === given[field] || (!record && now[field] === first[field]);
    const taken = Object.fromEntries(
      Object.entries(usual.values).filter(([field]) => master.fields[field] && isFree(field, values)),
    );
    setNames((now) => ({ ...now, ...usual.names }));
    setGiven(taken);
    setValues((now) => ({ ...now, ...taken }));
  };
  const takenOver = Object.keys(given).filter((field) => given[field] !== 'false' && values[field] === given[field]);
  /** A user on another screen gets the message there; what they typed is here when they come back. */
  const notSaved = (why: string) => toastError(`${master.label}, not saved: ${why}`);
  const save = async () => {
    if (busy || !mayWrite || stopsAtUnchosen()) return;
    setBusy(true);
    setRefusal(null);
    try {
      const of = await fetchCheck();
      const wrong = of(master.fields, values);
      setCheck({ of });
      setFound(wrong);
      if (wrong.length) return hasGoneOn() ? notSaved(wrong[0]?.message ?? '') : focusFirstError();
      const saved = await api.SaveMaster({
        master: name,
        values: sendable(master.fields, values),
        ...(record && { id: record.id }),
        ...(version !== undefined && { version }),
      });
      toast(`${master.label} ${textOf(saved.values[master.name])} is saved`);
      await cache.invalidateQueries({ queryKey: ['screen'] });
      // a new user needs a link next, an item its variants, and that stands on the form
      const stays = master.signsIn || (master.staysWith !== undefined && isFilled(saved.values[master.staysWith]));
      const form = !record && stays ? screenOf({ master: name }, 'masterForm') : undefined;
      if (!form || hasGoneOn()) return back();
      typed.drop();
      go(form, { id: saved.id }, true);
    } catch (refused) {
      await failed(refused);
    } finally {
      setBusy(false);
    }
  };
  const failed = async (refused: unknown) => {
    if (hasGoneOn()) return notSaved(reasonOf(refused));
    if (refused instanceof Refused && refused.code === 'stale' && record) {
      return setTheirs({ record: await api.GetMaster({ master: name, id: record.id }), who: refused.message });
    }
    const named = problemsIn(refused).map((problem) => ({ ...problem, field: problem.field.replace(/^values\./, '') }));
    setRefusal(refused instanceof Refused ? withProblems(refused, named) : refused);
    focusFirstError();
  };
  const form = useRef<HTMLFormElement>(null);
  // a new record is typed at once; of a code that is given by itself nobody types the first field
  useLayoutEffect(() => {
    if (record || !mayWrite) return;
    const fields = [...(form.current?.querySelectorAll<HTMLElement>('input:not([type=hidden]), select') ?? [])];
    (fields.find((field) => field.getAttribute('aria-required')) ?? fields[0])?.focus();
  }, [record, mayWrite]);
  useKeys({ 'ctrl+s': () => void save(), 'ctrl+enter': () => void save() });
  const title = record ? textOf(record.values[master.name]) || master.label : `New ${inSentence(master.label)}`;
  return (
    <>
      <Page narrow>
        <PageHead
          title={title}
          beside={record && <Badge word={record.active ? 'Active' : 'Inactive'} />}
          actions={
            record && (
              <>
                {view && <Button onClick={() => go(view, { id: record.id })}>View {inSentence(master.label)}</Button>}
                {master.account && <AccountLinks party={record.id} name={title} statement={master.account.statement} />}
                {mayWrite && <Retire name={name} master={master} record={record} onDone={back} />}
              </>
            )
          }
        />
        {record?.notices.map((notice) => (
          <p key={notice} className="muted" role="status">
            {notice}
          </p>
        ))}
        {error != null && <ErrorPanel error={error} />}
        {master.merges && record?.active !== false && (
          <Duplicates values={values} {...(record && { record })} onMerged={back} />
        )}
        <form
          ref={form}
          className="stack"
          aria-label={title}
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          {!mayWrite && (
            <p className="muted">You see this record; changing it needs more than you have on this screen.</p>
          )}
          {takenOver.length > 0 && (
            <p className="muted" role="status">
              Taken over from the category: {takenOver.map((field) => master.fields[field]?.label).join(', ')}. Each can
              be changed.
            </p>
          )}
          <fieldset className="bare" disabled={!mayWrite}>
            <MasterFields
              master={master}
              values={values}
              names={{ ...record?.names, ...names }}
              fixed={record?.fixed ?? {}}
              problems={problems}
              onChange={change}
            />
          </fieldset>
          <button type="submit" hidden />
        </form>
        {master.panel && <MasterPanel panel={master.panel} values={values} id={record?.id} />}
        {mayWrite && record?.active && master.signsIn && <SignInLink user={record.id} />}
        {record && master.gives === 'rights' && <Access {...(master.signsIn ? { user: record.id } : {})} />}
        {record && master.showsStock && (
          <>
            <Suspense>
              <Pictures item={record.id} name={title} edits />
            </Suspense>
            <StockLevels item={record.id} />
          </>
        )}
        {record && <History name={name} id={record.id} />}
      </Page>
      <ActionBar>
        <Button onClick={back}>Cancel</Button>
        {mayWrite && (
          <Button look="primary" busy={busy} onClick={() => void save()} title="Ctrl S">
            Save {inSentence(master.label)}
          </Button>
        )}
      </ActionBar>
      {theirs && record && (
        <StaleDialog
          fields={master.fields}
          who={theirs.who}
          opened={opened}
          mine={values}
          theirs={theirs.record.values}
          names={{ ...record.names, ...names }}
          theirNames={theirs.record.names}
          onClose={() => setTheirs(null)}
          onMerged={(merged) => {
            setValues(merged);
            setNames((now) => ({ ...now, ...theirs.record.names }));
            setVersion(theirs.record.version);
            setTheirs(null);
          }}
        />
      )}
    </>
  );
}
