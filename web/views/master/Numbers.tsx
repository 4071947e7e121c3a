import { useDeferredValue } from 'react';
import type { z } from 'zod';
import type { namedCalls } from '../../../contract/named.ts';
import { Empty, ErrorPanel, figures, Panel, ScrollX, TableHead } from '../../kit/parts.tsx';
import { useCall } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
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
    <Panel title={t('Next numbers')}>
      {error ? (
        <p className="field-error">{error.message}</p>
      ) : (
        <div aria-live="polite">
          <p className="code">{data?.next.join('   ') ?? '…'}</p>
          {data?.problems.length === 0 ? (
            <p className="muted">{t('They keep to the rules for numbers and meet those of no other series.')}</p>
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
    <Panel title={t('Numbers given')}>
      {data?.length === 0 ? (
        <Empty sentence={t('No numbers given yet')} />
      ) : (
        <ScrollX label={t('Numbers given')}>
          <table className="plain-table">
            <TableHead
              columns={[t('Period'), t('First'), t('Last'), figures(t('Given')), figures(t('Cancelled')), t('Gaps')]}
            />
            <tbody>
              {data?.map((row) => (
                <tr key={row.period}>
                  <td>{row.period === 'all' ? t('Since the beginning') : row.period}</td>
                  <td className="code">{row.first}</td>
                  <td className="code">{row.last}</td>
                  <td className="num">{row.given}</td>
                  <td className="num">{row.cancelled}</td>
                  <td>
                    {row.missing === 0 ? t('None') : `${row.missing}: ${row.missingNumbers.join(', ')}`}
                    {row.notInBooks.map(({ number, state, reason }) => (
                      <small key={number} className="muted numbers-outside">
                        <span className="code">{number}</span> {t(stateWords[state])}
                        {reason && `: ${reason}`}
                      </small>
                    ))}
                    {row.heldBy && (
                      <small className="muted numbers-outside">
                        {t('{{heldBy}} is open and gives the next ones by itself: they are not yet received', {
                          heldBy: row.heldBy,
                        })}
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
