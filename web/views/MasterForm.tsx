import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { type Master, masterOf } from '../../contract/masters.ts';
import { screenOf } from '../../contract/screens.ts';
import { AccountLinks } from '../accounts/AccountLinks.tsx';
import { Button } from '../kit/Button.tsx';
import { useOwnMaster } from '../kit/fields/own-master.ts';
import { inSentence } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { ScreenLink, useAddress, useGo } from '../kit/navigation.tsx';
import { ActionBar, Badge, Empty, ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import type { Problem } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useMayWrite, useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { Access } from './master/Access.tsx';
import { Duplicates } from './master/Duplicates.tsx';
import { History } from './master/History.tsx';
import { MasterFields } from './master/MasterFields.tsx';
import { MasterPanel } from './master/MasterPanel.tsx';
import { formOf, pagePlace } from './master/page.ts';
import { Retire } from './master/Retire.tsx';
import type { OpenedRecord } from './master/record.ts';
import { SignInLink } from './master/SignInLink.tsx';
import { StaleDialog } from './master/StaleDialog.tsx';
import { StockLevels } from './master/StockLevels.tsx';
import { useSaveRecord } from './master/useSaveRecord.ts';
import { type TypedRecord, useTypedRecord } from './master/useTypedRecord.ts';
import { textOf } from './master/values.ts';
import './views.css';

const Pictures = lazy(async () => ({ default: (await import('../items/Pictures.tsx')).Pictures }));

const MasterPage = lazy(async () => ({ default: (await import('./master/MasterPage.tsx')).MasterPage }));

/** One record of a master: its fields in their sections, its history, and how to retire it. */
export function MasterForm({ master: name }: { readonly master: string }) {
  const { id, show } = useAddress();
  const fresh = id === undefined || id === 'new';
  const page = masterOf(name)?.page;
  const asPage = !fresh && show === 'page' && page !== undefined;
  const key = useScreenKey('master', name, id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.GetMaster({ master: name, id: id ?? '' }),
    enabled: !fresh && !asPage,
    // What is being edited is not replaced behind the person's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { master, known } = useOwnMaster(name);
  if (!known) return <Skeleton />;
  if (fresh && master.retire === 'never') return <ChooseFirst name={name} master={master} />;
  if (fresh) return <Editing key="new" name={name} master={master} record={null} />;
  if (asPage)
    return (
      <Suspense fallback={<Skeleton />}>
        <MasterPage name={name} page={page} id={id} />
      </Suspense>
    );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) return <Skeleton />;
  return <Held key={data.id} name={name} master={master} latest={data} />;
}

/** A form with typed input is not replaced by a newer record; an untouched form follows the saved record. */
function Held({
  name,
  master,
  latest,
}: {
  readonly name: string;
  readonly master: Master;
  readonly latest: OpenedRecord;
}) {
  const [record, setRecord] = useState(latest);
  const [dirty, setDirty] = useState(false);
  if (!dirty && latest.version !== record.version) setRecord(latest);
  return <Editing key={record.version} name={name} master={master} record={record} onDirty={setDirty} />;
}

/** Of what is not made by hand there is no blank form. */
function ChooseFirst({ name, master }: { readonly name: string; readonly master: Master }) {
  const list = screenOf({ master: name }, 'masterList');
  return (
    <Page narrow>
      <PageHead title={t(master.label)} />
      <Empty
        sentence={t('Choose one of the {{plural}}', { plural: inSentence(t(master.plural)) })}
        action={
          list && (
            <ScreenLink screen={list}>{t('Open {{plural}}', { plural: inSentence(t(master.plural)) })}</ScreenLink>
          )
        }
      />
    </Page>
  );
}

interface RecordProps {
  readonly name: string;
  readonly master: Master;
  readonly record: OpenedRecord | null;
}

function Editing({ name, master, record, onDirty }: RecordProps & { onDirty?(dirty: boolean): void }) {
  const formScreen = formOf(name);
  const mayWrite = useMayWrite(formScreen ?? 'General Configuration');
  const typed = useTypedRecord(name, master, record, onDirty);
  const saving = useSaveRecord(name, master, record, typed, mayWrite);
  const { values } = typed;
  useKeys({ 'ctrl+s': saving.save, 'ctrl+enter': saving.save });
  const title = record ? textOf(record.values[master.name]) || master.label : `New ${inSentence(master.label)}`;
  return (
    <>
      <Page narrow>
        <RecordHead {...{ name, master, record, title, mayWrite }} onRetired={saving.back} />
        {record?.notices.map((notice) => (
          <p key={notice} className="muted" role="status">
            {notice}
          </p>
        ))}
        {saving.error != null && <ErrorPanel error={saving.error} />}
        {master.merges && record?.active !== false && (
          <Duplicates values={values} {...(record && { record })} onMerged={saving.back} />
        )}
        <RecordForm {...{ master, record, title, typed, mayWrite }} problems={saving.problems} onSave={saving.save} />
        {master.panel && <MasterPanel panel={master.panel} values={values} id={record?.id} />}
        {record && <BelowForm {...{ name, master, record, title, mayWrite }} />}
      </Page>
      <ActionBar>
        <Button onClick={saving.back}>{t('Cancel')}</Button>
        {mayWrite && (
          <Button look="primary" busy={saving.busy} onClick={saving.save} title={t('Ctrl S')}>
            {t('Save {{label}}', { label: inSentence(t(master.label)) })}
          </Button>
        )}
      </ActionBar>
      {saving.theirs && (
        <StaleDialog
          fields={master.fields}
          who={saving.theirs.who}
          opened={typed.opened}
          mine={values}
          theirs={saving.theirs.record.values}
          names={typed.names}
          theirNames={saving.theirs.record.names}
          onClose={saving.forgetTheirs}
          onMerged={(merged) => {
            if (saving.theirs) typed.merge(merged, saving.theirs.record);
            saving.forgetTheirs();
          }}
        />
      )}
    </>
  );
}

/** The name of the record, whether it is active, and what can be done with it. */
function RecordHead({
  name,
  master,
  record,
  title,
  mayWrite,
  onRetired,
}: RecordProps & { readonly title: string; readonly mayWrite: boolean; onRetired(): void }) {
  const go = useGo();
  const page = record ? pagePlace(name, record.id) : undefined;
  return (
    <PageHead
      title={title}
      beside={record && <Badge word={record.active ? 'Active' : 'Inactive'} />}
      actions={
        record && (
          <>
            {page && (
              <Button onClick={() => go(page.screen, page.query)}>
                {t('View {{label}}', { label: inSentence(t(master.label)) })}
              </Button>
            )}
            {master.account && <AccountLinks party={record.id} name={title} statement={master.account.statement} />}
            {mayWrite && <Retire name={name} master={master} record={record} onDone={onRetired} />}
          </>
        )
      }
    />
  );
}

/** The fields of the record. A new record is typed at once: the first field that must be filled has the focus. */
function RecordForm({
  master,
  record,
  title,
  typed,
  problems,
  mayWrite,
  onSave,
}: Omit<RecordProps, 'name'> & {
  readonly title: string;
  readonly typed: TypedRecord;
  readonly problems: readonly Problem[];
  readonly mayWrite: boolean;
  onSave(): void;
}) {
  const form = useRef<HTMLFormElement>(null);
  // of a code that is given by itself nobody types the first field
  useLayoutEffect(() => {
    if (record || !mayWrite) return;
    const fields = [...(form.current?.querySelectorAll<HTMLElement>('input:not([type=hidden]), select') ?? [])];
    (fields.find((field) => field.getAttribute('aria-required')) ?? fields[0])?.focus();
  }, [record, mayWrite]);
  return (
    <form
      ref={form}
      className="stack"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      {!mayWrite && (
        <p className="muted">{t('You see this record; changing it needs more than you have on this screen.')}</p>
      )}
      {typed.takenOver.length > 0 && (
        <p className="muted" role="status">
          {t('Taken over from the category: {{takenOver}}. Each can be changed.', {
            takenOver: typed.takenOver.map((field) => master.fields[field]?.label).join(', '),
          })}
        </p>
      )}
      <fieldset className="bare" disabled={!mayWrite}>
        <MasterFields
          master={master}
          values={typed.values}
          names={typed.names}
          fixed={record?.fixed ?? {}}
          problems={problems}
          onChange={typed.change}
        />
      </fieldset>
      <button type="submit" hidden />
    </form>
  );
}

/** What belongs to a saved record and is not one of its fields: rights, pictures, stock, history. */
function BelowForm({
  name,
  master,
  record,
  title,
  mayWrite,
}: {
  readonly name: string;
  readonly master: Master;
  readonly record: OpenedRecord;
  readonly title: string;
  readonly mayWrite: boolean;
}) {
  return (
    <>
      {mayWrite && record.active && master.signsIn && <SignInLink user={record.id} />}
      {master.gives === 'rights' && <Access {...(master.signsIn ? { user: record.id } : {})} />}
      {master.showsStock && (
        <>
          <Suspense>
            <Pictures item={record.id} name={title} edits />
          </Suspense>
          <StockLevels item={record.id} />
        </>
      )}
      <History name={name} id={record.id} />
    </>
  );
}
