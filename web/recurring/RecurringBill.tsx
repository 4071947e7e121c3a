import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { comingDays, type Rhythm, type RhythmUnit, rhythmProblems, rhythmUnits } from '../../domain/books/recurring.ts';
import { Button } from '../kit/Button.tsx';
import { Confirm } from '../kit/dialog/Dialog.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { Checkbox, DateField, NumberField, SelectField, TextField } from '../kit/fields/fields.tsx';
import { today } from '../kit/format.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { useDocumentSearch } from '../views/editor/searches.ts';
import { useMayDo, usePlaces } from '../views/places.ts';
import { type Bill, recurring } from './recurring.ts';

const words = { posted: 'Posted', drafted: 'Kept as a draft', skipped: 'Skipped' } as const;
const COMING = 6;

interface Typed {
  readonly name: string;
  readonly every: string;
  readonly unit: string;
  readonly first: string;
  readonly monthEnd: boolean;
  readonly until: string;
  readonly times: string;
  readonly posts: boolean;
}
const typedOf = (bill: Bill | undefined): Typed => ({
  name: bill?.name ?? '',
  every: String(bill?.every ?? 1),
  unit: bill?.unit ?? 'month',
  first: bill?.first ?? today(),
  monthEnd: bill?.monthEnd ?? false,
  until: bill?.until ?? '',
  times: bill?.times == null ? '' : String(bill.times),
  posts: bill?.posts ?? false,
});
const rhythmOf = (typed: Typed): Rhythm => ({
  first: typed.first,
  every: Number(typed.every),
  unit: typed.unit as RhythmUnit,
  monthEnd: typed.monthEnd,
  ...(typed.until && { until: typed.until }),
  ...(typed.times && { times: Number(typed.times) }),
});

/** One bill that comes again, or a new one: its rhythm with the days to come, and what was made of the last ones. */
export function RecurringBill({
  bill,
  source,
  onClose,
}: {
  readonly bill: Bill | undefined;
  /** The document that a new one is made from, when it was asked for there. */
  readonly source: string | undefined;
  onClose(): void;
}) {
  const { format, show } = useDateFormat();
  const mayDo = useMayDo();
  const [typed, setTyped] = useState(() => typedOf(bill));
  const [chosen, setChosen] = useState<Option | null>(null);
  const ending = useRun(toastError);
  const [stopping, setStopping] = useState(false);
  const writable = recurring.filter((name) => mayDo(name, 'write'));
  const search = useDocumentSearch(writable, '');
  // a document that was named by its id only: its number is fetched
  const { data: named } = useQuery({
    queryKey: useScreenKey('recurring-source', source ?? ''),
    queryFn: () => api.GetTransactionDetailForInvoice({ TransactionId: source ?? '' }),
    enabled: source !== undefined && !bill,
  });
  // which it is, is known before its number is here: who saves sooner saves it
  const sourceId = chosen?.id ?? source;
  const from = chosen ?? (named ? { id: named.id, name: `${named.number} ${named.party?.name ?? ''}` } : null);
  const over = bill?.state === 'stopped';
  const mayChange = !over && (bill ? mayDo(bill.kind, 'write') : writable.length > 0);
  const set = (more: Partial<Typed>) => setTyped({ ...typed, ...more });
  const rhythm = rhythmOf(typed);
  const wrong = rhythmProblems(rhythm);
  const coming = wrong.length > 0 ? [] : comingDays(rhythm, bill?.turn ?? 0, bill?.made ?? 0, COMING);

  const save = async () => {
    const { first, every, unit, monthEnd, until, times } = rhythm;
    const of = bill ? { id: bill.id, version: bill.version } : { ...(sourceId && { source: sourceId }) };
    const kept = { name: typed.name, first, every, unit, monthEnd, posts: typed.posts };
    await api.SaveRecurringBill({ ...of, ...kept, ...(until && { until }), ...(times !== undefined && { times }) });
    toast(`${typed.name} is saved`);
  };
  const turn = async (to: 'paused' | 'running' | 'stopped' | 'skipped', said: string) => {
    if (bill) await api.SetRecurringBill({ id: bill.id, version: bill.version, to });
    toast(said);
  };

  return (
    <>
      <FormDialog
        width={640}
        title={bill ? bill.name : 'New recurring bill'}
        holds={{ ...typed, source: sourceId }}
        verb={mayChange ? 'Save recurring bill' : null}
        keep={mayChange ? 'Cancel' : 'Close'}
        save={save}
        onClose={onClose}
        actions={(act, busy) =>
          mayChange &&
          bill && (
            <>
              <Button look="danger" onClick={() => setStopping(true)}>
                Stop
              </Button>
              {bill.coming.length > 0 && (
                <Button
                  busy={busy}
                  onClick={() => act(() => turn('skipped', `${show(bill.coming[0] ?? null)} is skipped`))}
                >
                  Skip next
                </Button>
              )}
              {bill.state === 'paused' ? (
                <Button busy={busy} onClick={() => act(() => turn('running', `${bill.name} goes on`))}>
                  Continue
                </Button>
              ) : (
                <Button busy={busy} onClick={() => act(() => turn('paused', `${bill.name} is paused`))}>
                  Pause
                </Button>
              )}
            </>
          )
        }
      >
        {(at) => (
          <>
            <div className="fields fields-two">
              {!bill && (
                <ComboboxField
                  label="Bill that comes again"
                  name="source"
                  required
                  span={2}
                  value={from}
                  error={at('source')}
                  help="As it was posted: party, lines and charges"
                  search={search}
                  placeholder="Number or party"
                  onChange={(option) => {
                    setChosen(option);
                    if (option && !typed.name) set({ name: option.code ?? option.name });
                  }}
                />
              )}
              <TextField
                label="Name"
                name="name"
                required
                value={typed.name}
                error={at('name')}
                onChange={(name) => set({ name })}
              />
              <DateField
                label="First on"
                name="first"
                required
                format={format}
                value={typed.first}
                error={at('first')}
                onChange={(first) => set({ first })}
              />
              <NumberField
                label="Every"
                name="every"
                places={0}
                value={typed.every}
                error={at('every')}
                onChange={(every) => set({ every })}
              />
              <SelectField
                label="Unit"
                name="unit"
                value={typed.unit}
                error={at('unit')}
                choices={rhythmUnits.map(([value, label]) => ({ value, label }))}
                onChange={(unit) => set({ unit, ...((unit === 'day' || unit === 'week') && { monthEnd: false }) })}
              />
              <DateField
                label="Until"
                name="until"
                format={format}
                value={typed.until}
                error={at('until')}
                help="Empty: no end"
                onChange={(until) => set({ until })}
              />
              <NumberField
                label="How many in all"
                name="times"
                places={0}
                value={typed.times}
                error={at('times')}
                help="Empty: no limit"
                onChange={(times) => set({ times })}
              />
              <Checkbox
                label="Always the last day of the month"
                checked={typed.monthEnd}
                disabled={typed.unit === 'day' || typed.unit === 'week'}
                onChange={(monthEnd) => set({ monthEnd })}
              />
              <Checkbox
                label="Post it by itself"
                help="Otherwise it waits as a draft; so does what cannot be posted"
                checked={typed.posts}
                onChange={(posts) => set({ posts })}
              />
            </div>
            <p role="status">
              {over
                ? 'It was stopped.'
                : coming.length > 0
                  ? `Comes on ${coming.map((day) => show(day)).join(', ')}`
                  : 'Nothing is to come.'}
            </p>
            <p className="muted">
              {'{DD}'}, {'{MM}'} and {'{YYYY}'} in the reference and narration of the bill become those of its day.
            </p>
            {bill && bill.turns.length > 0 && <Turns bill={bill} />}
          </>
        )}
      </FormDialog>
      <Confirm
        open={stopping}
        question={`Stop ${bill?.name ?? ''}?`}
        consequence="No more are made. What was made stays. It cannot be started again; a new one can be made."
        verb="Stop"
        onConfirm={() => ending.run(() => turn('stopped', `${bill?.name ?? 'It'} is stopped`), onClose)}
        onClose={() => setStopping(false)}
      />
    </>
  );
}

/** What became of the last turns, the latest first. */
function Turns({ bill }: { readonly bill: Bill }) {
  const { show } = useDateFormat();
  const places = usePlaces();
  const [view, editor] = [places(bill.kind, 'documentView'), places(bill.kind, 'documentEditor')];
  return (
    <ul className="plain-list" aria-label="Last ones">
      {bill.turns.map(({ turn, day, what, document, number, problem }) => {
        const place = number === null ? editor : view;
        return (
          <li key={turn}>
            <span>
              {show(day)} <span className="muted">{[words[what], problem].filter(Boolean).join(': ')}</span>
            </span>
            {document !== null && place && (
              <ScreenLink screen={place.screen} query={{ ...place.query, id: document }}>
                {number ?? 'Draft'}
              </ScreenLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}
