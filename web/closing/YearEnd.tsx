import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { closingCalls } from '../../contract/closing.ts';
import { allows } from '../../contract/levels.ts';
import { Button } from '../kit/Button.tsx';
import { inSentence, money } from '../kit/format.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import {
  Badge,
  Empty,
  ErrorPanel,
  figures,
  Page,
  PageHead,
  Panel,
  ScrollX,
  Skeleton,
  TableHead,
} from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { CloseYear } from './CloseYear.tsx';
import { ReopenYear } from './ReopenYear.tsx';
import '../views/views.css';

type Year = z.output<typeof closingCalls.GetYears.details>[number];

const states = {
  running: ['Running', 'neutral'],
  next: ['To be closed', 'warn'],
  waiting: ['After the year before', 'neutral'],
  closed: ['Closed', 'ok'],
} as const satisfies Record<Year['state'], readonly [word: string, tone: 'neutral' | 'warn' | 'ok']>;

/** The financial years of the books: each is closed once it has ended, in their order, and the last one can be reopened. */
export function YearEnd() {
  const { grants } = useSession();
  const { show } = useDateFormat();
  const go = useGo();
  const chosen = useAddress()['year'] ?? '';
  const [reopening, setReopening] = useState<Year | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: useScreenKey('years'), queryFn: () => api.GetYears({}) });
  const level = grants['JournalVouchers'] ?? 0;
  const lastClosed = data?.find(({ state }) => state === 'closed')?.year;
  const choose = (year: string) => go('Year End', year ? { year } : {}, true);
  const closing = data?.find(({ year, state }) => year === chosen && state === 'next');
  return (
    <Page narrow>
      <PageHead title={t('Year-end')} />
      <Panel title={t('Financial years')}>
        {error ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton rows={3} />
        ) : data.length === 0 ? (
          <Empty sentence={t('Nothing is posted yet')} />
        ) : (
          <ScrollX label={t('Financial years')}>
            <table className="plain-table">
              <TableHead columns={[t('Year'), t('State'), figures(t('Profit (₹)'))]} />
              <tbody>
                {data.map((row) => {
                  const [word, tone] = states[row.state];
                  return (
                    <tr key={row.year}>
                      <td>
                        <b className="one-line">{row.year}</b>
                        <span className="sheet-note">{t('to {{to}}', { to: show(row.to) })}</span>
                      </td>
                      <td>
                        <Badge word={word} tone={tone} />
                        {row.by && (
                          <span className="sheet-note">
                            {t('{{at}} by {{by}}', { at: show(row.at), by: row.by })}
                            {row.number && `, ${row.number}`}
                          </span>
                        )}
                        <div className="side-actions">
                          {row.state === 'next' && allows(level, 'approve') && (
                            <Button look={row.year === chosen ? 'default' : 'primary'} onClick={() => choose(row.year)}>
                              {t('Close {{year}} …', { year: row.year })}
                            </Button>
                          )}
                          {row.year === lastClosed && allows(level, 'full') && (
                            <Button onClick={() => setReopening(row)}>
                              {t('Reopen {{year}} …', { year: row.year })}
                            </Button>
                          )}
                        </div>
                      </td>
                      <td className="num">{row.profit === null ? '–' : money(row.profit)}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
      {chosen && data && !closing && (
        <p className="note">{t('{{chosen}} is not the year to be closed now.', { chosen: inSentence(chosen) })}</p>
      )}
      {closing && allows(level, 'approve') && <CloseYear key={chosen} year={chosen} onDone={() => choose('')} />}
      {reopening && <ReopenYear year={reopening.year} onClose={() => setReopening(null)} />}
    </Page>
  );
}
