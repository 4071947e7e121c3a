import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { comingDays, rhythmProblems, rhythmUnits } from '../../domain/books/recurring.ts';
import { type Action, ActionButtons } from '../kit/actions.tsx';
import { Confirm } from '../kit/dialog/Dialog.tsx';
import { type At, FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { Checkbox, DateField, NumberField, SelectField, TextField } from '../kit/fields/fields.tsx';
import { ScreenLink } from '../kit/navigation.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { useDocumentSearch } from '../views/editor/searches.ts';
import { useMayDo, usePlaces } from '../views/places.ts';
import { type Bill, hasMonths, recurring, rhythmOf, type TypedBill, typedOf } from './recurring.ts';

const words = { posted: 'Posted', drafted: 'Kept as a draft', skipped: 'Skipped' } as const;
const COMING = 6;

/** One bill that comes again, or a new one: its rhythm with the days to come, and what was made of the last ones. */
export function RecurringBill({
  bill,
  source: named,
  onClose,
}: {
  readonly bill: Bill | undefined;
  /** The document that a new one is made from, when it was asked for there. */
  readonly source: string | undefined;
  onClose(): void;
}) {
  const mayDo = useMayDo();
  const [typed, setTyped] = useState(() => typedOf(bill));
  const source = useSource(named, bill === undefined);
  const ending = useRun(toastError);
  const [stopping, setStopping] = useState(false);
  const writable = recurring.filter((name) => mayDo(name, 'write'));
  const mayChange = bill?.state !== 'stopped' && (bill ? mayDo(bill.kind, 'write') : writable.length > 0);
  const set = (more: Partial<TypedBill>) => setTyped({ ...typed, ...more });
  const actions = useTurns(bill, () => setStopping(true));
  return (
    <>
      <FormDialog
        width={640}
        title={bill ? bill.name : t('New recurring bill')}
        holds={{ ...typed, source: source.id }}
        verb={mayChange ? t('Save recurring bill') : null}
        keep={mayChange ? t('Cancel') : t('Close')}
        save={() => save(typed, bill, source.id)}
        onClose={onClose}
        actions={(act, busy) => mayChange && <ActionButtons actions={actions(act, busy)} />}
      >
        {(at) => (
          <>
            <div className="fields fields-two">
              {!bill && (
                <SourceField
                  kinds={writable}
                  value={source.value}
                  error={at('source')}
                  onChange={(option) => {
                    source.choose(option);
                    if (option && !typed.name) set({ name: option.code ?? option.name });
                  }}
                />
              )}
              <RhythmFields typed={typed} at={at} onChange={set} />
            </div>
            <Coming typed={typed} bill={bill} />
            <p className="muted">
              {t('{DD}, {MM} and {YYYY} in the reference and narration of the bill become those of its day.')}
            </p>
            {bill && bill.turns.length > 0 && <Turns bill={bill} />}
          </>
        )}
      </FormDialog>
      <Confirm
        open={stopping}
        question={t('Stop {{name}}?', { name: bill?.name ?? '' })}
        consequence={t(
          'No more documents are made. Existing ones stay. It cannot be started again, but you can make a new one.',
        )}
        verb={t('Stop')}
        onConfirm={() =>
          ending.run(() => turn(bill, 'stopped', t('{{name}} is stopped', { name: bill?.name ?? t('It') })), onClose)
        }
        onClose={() => setStopping(false)}
      />
    </>
  );
}

async function save(typed: TypedBill, bill: Bill | undefined, source: string | undefined): Promise<void> {
  const { first, every, unit, monthEnd, until, times } = rhythmOf(typed);
  const of = bill ? { id: bill.id, version: bill.version } : { ...(source && { source }) };
  const kept = { name: typed.name, first, every, unit, monthEnd, posts: typed.posts };
  await api.SaveRecurringBill({ ...of, ...kept, ...(until && { until }), ...(times !== undefined && { times }) });
  toast(t('{{name}} is saved', { name: typed.name }));
}

type State = 'paused' | 'running' | 'stopped' | 'skipped';
async function turn(bill: Bill | undefined, to: State, said: string): Promise<void> {
  if (bill) await api.SetRecurringBill({ id: bill.id, version: bill.version, to });
  toast(said);
}

/** What can be done with a bill beside changing it; a new one has nothing of this. */
function useTurns(bill: Bill | undefined, askToStop: () => void) {
  const { show } = useDateFormat();
  return (act: (work: () => Promise<void>) => void, busy: boolean): readonly Action[] => {
    if (!bill) return [];
    const action = (label: string, to: State, said: string) => ({
      ...{ label, busy },
      run: () => act(() => turn(bill, to, said)),
    });
    return [
      { label: t('Stop'), look: 'danger', run: askToStop },
      {
        ...action(t('Skip next'), 'skipped', t('{{coming}} is skipped', { coming: show(bill.coming[0] ?? null) })),
        offered: bill.coming.length > 0,
      },
      bill.state === 'paused'
        ? { id: 'pause', ...action(t('Continue'), 'running', t('{{name}} continues', { name: bill.name })) }
        : { id: 'pause', ...action(t('Pause'), 'paused', t('{{name}} is paused', { name: bill.name })) },
    ];
  };
}

/** The document that a new bill is made from. Of one that was named by its id only the number is fetched. */
function useSource(named: string | undefined, isNew: boolean) {
  const [chosen, choose] = useState<Option | null>(null);
  const { data } = useQuery({
    queryKey: useScreenKey('recurring-source', named ?? ''),
    queryFn: () => api.GetTransactionDetailForInvoice({ TransactionId: named ?? '' }),
    enabled: named !== undefined && isNew,
  });
  return {
    choose,
    value: chosen ?? (data ? { id: data.id, name: `${data.number} ${data.party?.name ?? ''}` } : null),
    // which it is, is known before its number is here: who saves sooner saves it
    id: chosen?.id ?? named,
  };
}

function SourceField({
  kinds,
  value,
  error,
  onChange,
}: {
  readonly kinds: typeof recurring;
  readonly value: Option | null;
  readonly error: string | undefined;
  onChange(option: Option | null): void;
}) {
  const search = useDocumentSearch(kinds, '');
  return (
    <ComboboxField
      label={t('Bill that comes again')}
      name="source"
      required
      span={2}
      value={value}
      error={error}
      help={t('As it was posted: party, lines and charges')}
      search={search}
      placeholder={t('Number or party')}
      onChange={onChange}
    />
  );
}

/** The name of the bill, when it comes, and whether it is posted by itself. */
function RhythmFields({
  typed,
  at,
  onChange,
}: {
  readonly typed: TypedBill;
  readonly at: At;
  onChange(more: Partial<TypedBill>): void;
}) {
  const { format } = useDateFormat();
  return (
    <>
      <TextField
        label={t('Name')}
        name="name"
        required
        value={typed.name}
        error={at('name')}
        onChange={(name) => onChange({ name })}
      />
      <DateField
        label={t('First on')}
        name="first"
        required
        format={format}
        value={typed.first}
        error={at('first')}
        onChange={(first) => onChange({ first })}
      />
      <NumberField
        label={t('Every')}
        name="every"
        places={0}
        value={typed.every}
        error={at('every')}
        onChange={(every) => onChange({ every })}
      />
      <SelectField
        label={t('Unit')}
        name="unit"
        value={typed.unit}
        error={at('unit')}
        choices={rhythmUnits.map(([value, label]) => ({ value, label: t(label) }))}
        onChange={(unit) => onChange({ unit, ...(!hasMonths(unit) && { monthEnd: false }) })}
      />
      <DateField
        label={t('Until')}
        name="until"
        format={format}
        value={typed.until}
        error={at('until')}
        help={t('Empty: no end')}
        onChange={(until) => onChange({ until })}
      />
      <NumberField
        label={t('How many in all')}
        name="times"
        places={0}
        value={typed.times}
        error={at('times')}
        help={t('Empty: no limit')}
        onChange={(times) => onChange({ times })}
      />
      <Checkbox
        label={t('Always the last day of the month')}
        checked={typed.monthEnd}
        disabled={!hasMonths(typed.unit)}
        onChange={(monthEnd) => onChange({ monthEnd })}
      />
      <Checkbox
        label={t('Post it by itself')}
        help={t('Otherwise it waits as a draft, as do documents that cannot be posted')}
        checked={typed.posts}
        onChange={(posts) => onChange({ posts })}
      />
    </>
  );
}

/** The days on which the bill comes next, as it is typed. */
function Coming({ typed, bill }: { readonly typed: TypedBill; readonly bill: Bill | undefined }) {
  const { show } = useDateFormat();
  const rhythm = rhythmOf(typed);
  const isWrong = rhythmProblems(rhythm).length > 0;
  const days = isWrong ? [] : comingDays(rhythm, bill?.turn ?? 0, bill?.made ?? 0, COMING);
  if (bill?.state === 'stopped') return <p role="status">{t('It was stopped.')}</p>;
  if (days.length === 0) return <p role="status">{t('Nothing is expected.')}</p>;
  return <p role="status">{t('Comes on {{days}}', { days: days.map((day) => show(day)).join(', ') })}</p>;
}

/** What became of the last turns, the latest first. */
function Turns({ bill }: { readonly bill: Bill }) {
  const { show } = useDateFormat();
  const places = usePlaces();
  const [view, editor] = [places(bill.kind, 'documentView'), places(bill.kind, 'documentEditor')];
  return (
    <ul className="plain-list" aria-label={t('Last ones')}>
      {bill.turns.map(({ turn, day, what, document, number, problem }) => {
        const place = number === null ? editor : view;
        return (
          <li key={turn}>
            <span>
              {show(day)} <span className="muted">{[words[what], problem].filter(Boolean).join(': ')}</span>
            </span>
            {document !== null && place && (
              <ScreenLink screen={place.screen} query={{ ...place.query, id: document }}>
                {number ?? t('Draft')}
              </ScreenLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}
