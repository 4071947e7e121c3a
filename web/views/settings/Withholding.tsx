import { useQuery } from '@tanstack/react-query';
import { plainNumber } from '../../kit/format.ts';
import { ScreenLink } from '../../kit/navigation.tsx';
import { ErrorPanel, figures, Panel, ScrollX, Skeleton, TableHead } from '../../kit/parts.tsx';
import { Sentence } from '../../kit/Sentence.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useMayOpen, useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

const columns = ['Section', 'What it is on', figures('Usual rate %')];

/** The sections of today's law; which one applies is chosen on the bill, the payment or the invoice. */
export function Withholding() {
  const { today } = useSession();
  const { show } = useDateFormat();
  const mayOpen = useMayOpen();
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('withholding', today),
    queryFn: () => api.GetTdsTcsMaster({ date: today }),
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <>
      <p className="muted">
        {t('The law on {{today}}: the section chosen on a document decides rates, thresholds and ledgers.', {
          today: show(today),
        })}
        {mayOpen('Tax Withheld') && (
          <>
            {' '}
            <Sentence
              text="Dues to the government, challans and certificates: <screenlink>TDS and TCS</screenlink>."
              values={{ screenlink: (text) => <ScreenLink screen="Tax Withheld">{text}</ScreenLink> }}
            />
          </>
        )}
      </p>
      {(['TDS', 'TCS'] as const).map((type) => (
        <Panel key={type} title={type === 'TDS' ? t('Tax deducted at source') : t('Tax collected at source')}>
          <ScrollX label={type}>
            <table className="plain-table">
              <TableHead columns={columns} />
              <tbody>
                {data
                  .filter((row) => row.type === type)
                  .map(({ section, name, rate }) => (
                    <tr key={section}>
                      <td className="code">{t(section)}</td>
                      <td>{name}</td>
                      <td className="num">{plainNumber(rate)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </ScrollX>
        </Panel>
      ))}
    </>
  );
}
