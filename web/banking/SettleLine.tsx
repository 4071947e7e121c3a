import { useState } from 'react';
import { type WayName, ways, waysFor } from '../../domain/banking/bank-matching.ts';
import { moneyText, parseDecimal } from '../../domain/base/decimal.ts';
import { Button } from '../kit/Button.tsx';
import { type At, FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { useReasons } from '../kit/dialog/useReasons.tsx';
import { Checkbox, SearchBox, TextField } from '../kit/fields/fields.tsx';
import { inCurrency, money } from '../kit/format.ts';
import { Empty, ScrollX, Tabs } from '../kit/parts.tsx';
import { saidWith } from '../kit/saidWith.ts';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { type Entry, keptOf, type Line, type Place } from './line.ts';
import { MakeDocument, type Making, otherOf } from './MakeDocument.tsx';
import { RateOfLine } from './RateOfLine.tsx';
import { nothingSettled, proposedSettling, SettleDues, settlingBody } from './SettleDues.tsx';

const paiseOf = (text: string): number => parseDecimal(text, 2) ?? 0;
const keyOf = ({ document, leg }: { readonly document: string; readonly leg: number }) => `${document}/${leg}`;
const MOST = 50;

interface LineProps {
  readonly ledger: string;
  readonly currency: string;
  readonly line: Line;
  readonly entries: readonly Entry[];
  readonly place: Place;
  onClose(): void;
}

/** One line of the statement: the entries it is, ticked until they come to its amount; or the document it becomes. */
export function SettleLine({ ledger, currency, line, entries, place, onClose }: LineProps) {
  const { show } = useDateFormat();
  const [tab, setTab] = useState(line.suggestion || line.draft ? 'match' : 'make');
  const matching = useMatching(ledger, line, entries);
  const making = useMakingOfLine(ledger, line, place);
  const title = `${show(line.date)}: ${inCurrency(line.amount.replace('-', ''), currency)} ${line.amount.startsWith('-') ? 'out' : 'in'}`;
  return (
    <>
      <FormDialog
        title={title}
        width={880}
        holds={making.typed}
        verb={tab === 'match' ? t('Match') : t('Post and match')}
        keep={t('Not now')}
        ready={tab !== 'match' || matching.isComplete}
        save={() => (tab === 'match' ? matching.match() : making.make(false))}
        onClose={onClose}
        actions={(act, busy) =>
          tab === 'make' && (
            <Button busy={busy} onClick={() => act(() => making.make(true))}>
              {t('Keep as draft')}
            </Button>
          )
        }
      >
        {(at) => (
          <>
            <p className="wrap">
              {line.text} {line.reference && <span className="code">{line.reference}</span>}
            </p>
            {line.draft && (
              <p className="note">{t('{{draft}}. Match it once it is posted.', { draft: keptOf(line.draft) })}</p>
            )}
            <Tabs
              label={t('What this line is')}
              tabs={[
                ...(line.draft ? [] : [{ key: 'make', label: t('Not in the books yet') }]),
                { key: 'match', label: t('In the books') },
              ]}
              current={tab}
              onChange={setTab}
            >
              {tab === 'match' ? (
                <Choosing
                  line={line}
                  currency={currency}
                  entries={entries}
                  ticked={matching.ticked}
                  left={matching.left}
                  onChange={matching.tick}
                />
              ) : (
                <MakeOfLine line={line} currency={currency} form={making} at={at} />
              )}
            </Tabs>
          </>
        )}
      </FormDialog>
      {making.reasons}
    </>
  );
}

/** The entries that are ticked, and what of the line they leave. */
function useMatching(ledger: string, line: Line, entries: readonly Entry[]) {
  const [ticked, tick] = useState<ReadonlySet<string>>(new Set(line.suggestion ? [keyOf(line.suggestion)] : []));
  const left = [...ticked].reduce(
    (t, one) => t - paiseOf(entries.find((entry) => keyOf(entry) === one)?.amount ?? '0'),
    paiseOf(line.amount),
  );
  const match = async () => {
    const chosen = entries.filter((entry) => ticked.has(keyOf(entry)));
    const matched = chosen.map(({ document, leg }) => ({ document, leg }));
    await api.MatchBankLines({ ledger, matches: [{ line: line.id, entries: matched }] });
    toast(t('Matched with {{chosen}}', { chosen: chosen.map(({ number }) => number).join(', ') }));
  };
  return { ticked, tick, left, isComplete: ticked.size > 0 && left === 0, match };
}

/** The document that the line becomes: which, with whom, what it settles, and a rule for lines like it. */
function useMakingOfLine(ledger: string, line: Line, place: Place) {
  const [key] = useState(newKey);
  const among = waysFor(paiseOf(line.amount));
  const [making, setMaking] = useState<Making>({
    way: (line.settles?.way ?? line.rule?.way ?? among[0] ?? 'journal') as WayName,
    other: line.settles ? { id: line.settles.party, name: line.settles.name } : null,
    narration: '',
  });
  const [settling, setSettling] = useState(() => proposedSettling(line));
  const [rate, setRate] = useState('');
  const [rule, setRule] = useState({ on: false, holds: line.text });
  const { dialog: reasons, reasoned } = useReasons(t('Post and match'));
  const { way, other, narration } = making;
  const make = async (draft: boolean) => {
    const sides = otherOf(making);
    if (rule.on) await api.SaveBankRule({ ledger, holds: rule.holds, way, ...sides, narration });
    const asked = {
      ...{ ledger, line: line.id, way, ...sides },
      ...(sides.party && settlingBody(settling)),
      ...{ narration, ...place, draft },
      ...(rate && { exchangeRate: rate }),
    };
    const made = await reasoned((given) => api.PostBankLine({ ...asked, ...given }, key));
    toast(saidOfMade(made, draft));
  };
  const { amounts, ...beside } = settling;
  // whoever is on the other side, the same field holds them
  const sides = { party: other, counter: other, lines: [{ ledger: other }], 'lines.ledger': other };
  return {
    ...{ among, making, settling, setSettling, rate, setRate, rule, setRule, make, reasons },
    change: (next: Making) => {
      if (next.other?.id !== other?.id) setSettling(nothingSettled);
      setMaking(next);
    },
    /** By the names that problems have for the fields. */
    typed: { way, narration, ...sides, ...beside, allocations: amounts, holds: rule.holds },
  };
}

type Made = Awaited<ReturnType<typeof api.PostBankLine>>;
/** What became of the line; a document without a number is a draft. */
function saidOfMade({ number, matched, warnings }: Made, draft: boolean): string {
  if (number !== null)
    return saidWith(
      matched
        ? t('{{number}} is posted and matched', { number })
        : t('{{number}} came to another amount: look at it', { number }),
      warnings,
    );
  return draft
    ? t('Kept as a draft: match it once it is posted')
    : t('This needs approval and is kept as a draft: send it, and match it once it is posted');
}

function MakeOfLine({
  line,
  currency,
  form,
  at,
}: Pick<LineProps, 'line' | 'currency'> & {
  readonly form: ReturnType<typeof useMakingOfLine>;
  readonly at: At;
}) {
  const { making, rule, setRule } = form;
  return (
    <div className="stack">
      <MakeDocument making={making} among={form.among} at={at} onChange={form.change} />
      {ways[making.way].other === 'party' && making.other && (
        <SettleDues
          key={making.other.id}
          line={line}
          currency={currency}
          way={making.way}
          party={making.other.id}
          settling={form.settling}
          at={at}
          onChange={form.setSettling}
        />
      )}
      {currency !== 'INR' && (
        <RateOfLine
          currency={currency}
          date={line.date}
          value={form.rate}
          onChange={form.setRate}
          error={at('exchangeRate')}
        />
      )}
      <Checkbox
        label={t('Apply this to every line that contains a text')}
        checked={rule.on}
        onChange={(on) => setRule({ ...rule, on })}
      />
      {rule.on && (
        <TextField
          label={t('Text')}
          required
          value={rule.holds}
          maxLength={100}
          onChange={(holds) => setRule({ ...rule, holds })}
          error={at('holds')}
          help={t('Capitals, spaces and signs do not count')}
        />
      )}
    </div>
  );
}

function Choosing({
  line,
  currency,
  entries,
  ticked,
  left,
  onChange,
}: {
  readonly line: Line;
  readonly currency: string;
  readonly entries: readonly Entry[];
  readonly ticked: ReadonlySet<string>;
  readonly left: number;
  onChange(ticked: ReadonlySet<string>): void;
}) {
  const { show } = useDateFormat();
  const [search, setSearch] = useState('');
  const goesOut = line.amount.startsWith('-');
  const text = search.toLowerCase();
  const alike = entries
    .filter((entry) => ticked.has(keyOf(entry)) || entry.amount.startsWith('-') === goesOut)
    .filter((entry) => `${entry.number} ${entry.party} ${entry.reference} ${entry.amount}`.toLowerCase().includes(text))
    .toSorted((a, b) => Number(b.amount === line.amount) - Number(a.amount === line.amount));
  const toggle = (key: string, on: boolean) => {
    const next = new Set(ticked);
    if (on) next.add(key);
    else next.delete(key);
    onChange(next);
  };
  if (entries.length === 0) return <Empty sentence={t('The books have no open entries on this bank')} />;
  return (
    <div className="stack">
      <SearchBox label={t('Search entries')} value={search} onChange={setSearch} />
      <p role="status">
        {left === 0
          ? t('The entries add up to the amount of the line.')
          : t('{{left}} of the line are left.', { left: inCurrency(moneyText(left), currency) })}
      </p>
      <ScrollX label={t('Entries of the books')}>
        <table className="plain-table">
          <tbody>
            {alike.slice(0, MOST).map((entry) => (
              <tr key={keyOf(entry)}>
                <td>
                  <Checkbox
                    label={`${entry.number}, ${show(entry.date)}`}
                    checked={ticked.has(keyOf(entry))}
                    onChange={(on) => toggle(keyOf(entry), on)}
                  />
                </td>
                <td className="wrap">{[entry.party, entry.reference].filter(Boolean).join(' · ')}</td>
                <td className="num">{money(entry.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      {alike.length > MOST && (
        <p className="muted">
          {t('{{alike}} more: search for a number, a party or an amount.', { alike: alike.length - MOST })}
        </p>
      )}
    </div>
  );
}
