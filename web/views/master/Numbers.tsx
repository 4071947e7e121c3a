import { useDeferredValue } from 'react';
import type { z } from 'zod';
import type { namedCalls } from '../../../contract/named.ts';
import { Empty, ErrorPanel, figures, Panel, ScrollX, TableHead } from '../../kit/parts.tsx';
import { useCall } from '../../kit/server/session.ts';
import type { PanelProps } from './MasterPanel.tsx';
import { textOf } from './values.ts';

type Checked = z.output<(typeof namedCalls)['DocPatternValidations']['details']>;
type Given = z.output<(typeof namedCalls)['GetNumbersGiven']['details']>;

/** The next numbers of a series as it is typed, what is wrong with them, and what it has given so far. */
export function Numbers({ values, id }: PanelProps) {
  return (
    <>
      <Preview values={values} id={id} />
      {id !== undefined && <GivenNumbers id={id} />}
    </>
  );
}

const asked = ['registration', 'location', 'prefix', 'suffix', 'padding', 'start', 'reset'] as const;

function Preview({ values, id }: PanelProps) {
  const typed = asked.flatMap((key) => (textOf(values[key]) === '' ? [] : [[key, textOf(values[key])] as const]));
  const input = useDeferredValue(
    JSON.stringify({ Type: textOf(values['kind']), ...Object.fromEntries(typed), ...(id && { Id: id }) }),
  );
  const ready = ['kind', 'registration', 'prefix'].every((key) => textOf(values[key]) !== '');
  const { data, error } = useCall<Checked>('transactions/DocPatternValidations', JSON.parse(input), ready);
  if (!ready) return null;
  return (
    <Panel title="Next numbers">
      {error ? (
        <p className="field-error">{error.message}</p>
      ) : (
        <div aria-live="polite">
          <p className="code">{data?.next.join('   ') ?? '…'}</p>
          {data?.problems.length === 0 ? (
            <p className="muted">They keep to the rules for numbers and meet those of no other series.</p>
          ) : (
            data?.problems.map((problem) => (
              <p key={problem} className="field-error">
                {problem}
              </p>
            ))
          )}
        </div>
      )}
    </Panel>
  );
}

const stateWords = { awaited: 'not yet received', refused: 'refused', void: 'void' } as const;

function GivenNumbers({ id }: { readonly id: string }) {
  const { data, error, refetch } = useCall<Given>('series/GetNumbersGiven', { Id: id });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return (
    <Panel title="Numbers given">
      {data?.length === 0 ? (
        <Empty sentence="No numbers given yet" />
      ) : (
        <ScrollX label="Numbers given">
          <table className="plain-table">
            <TableHead columns={['Period', 'First', 'Last', figures('Given'), figures('Cancelled'), 'Gaps']} />
            <tbody>
              {data?.map((row) => (
                <tr key={row.period}>
                  <td>{row.period === 'all' ? 'Since the beginning' : row.period}</td>
                  <td className="code">{row.first}</td>
                  <td className="code">{row.last}</td>
                  <td className="num">{row.given}</td>
                  <td className="num">{row.cancelled}</td>
                  <td>
                    {row.missing === 0 ? 'None' : `${row.missing}: ${row.missingNumbers.join(', ')}`}
                    {row.notInBooks.map(({ number, state, reason }) => (
                      <small key={number} className="muted numbers-outside">
                        <span className="code">{number}</span> {stateWords[state]}
                        {reason && `: ${reason}`}
                      </small>
                    ))}
                    {row.heldBy && (
                      <small className="muted numbers-outside">
                        {row.heldBy} is open and gives the next ones by itself: they are not yet received
                      </small>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </Panel>
  );
}
