import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Withholding } from '../../domain/facts/deposits.ts';
import { Button } from '../kit/Button.tsx';
import { PaperDialog } from '../kit/dialog/PaperDialog.tsx';
import { money } from '../kit/format.ts';
import { Badge, Empty, ErrorPanel, figures, Panel, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { CertificateNumber, MailCertificate } from './CertificateDialogs.tsx';
import { type Certified, words } from './tax.ts';

type Known = Certified & { readonly party: string };
const isKnown = (row: Certified): row is Known => row.party !== null;

/** From whom tax was withheld in a quarter: who gets a certificate, and what is missing where there is none yet. */
export function Certificates({
  tax,
  year,
  quarter,
  mayWrite,
}: {
  readonly tax: Withholding;
  readonly year: string;
  readonly quarter: number;
  readonly mayWrite: boolean;
}) {
  const { show } = useDateFormat();
  const [open, setOpen] = useState<{ readonly what: 'number' | 'paper' | 'mail'; readonly row: Known } | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('certificates', tax, year, quarter),
    queryFn: () => api.ListTaxCertificates({ tax, year, quarter }),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  const close = () => setOpen(null);
  const which = open && { tax, party: open.row.party, year, quarter };
  return (
    <Panel title={t('{{certificate}}, Q{{quarter}} of {{year}}', { certificate: data.certificate, quarter, year })}>
      <p className="muted">
        {t('{{statement}} is due on {{statementDue}}, the certificates on {{certificateDue}}. {{tan}}', {
          statement: data.statement,
          statementDue: show(data.statementDue),
          certificateDue: show(data.certificateDue),
          tan: data.tan
            ? t('TAN {{tan}}.', { tan: data.tan })
            : t('Our TAN is not entered: it belongs to the GST registration.'),
        })}
      </p>
      {data.rows.length === 0 ? (
        <Empty sentence={t('No tax was {{did}} in this quarter', { did: words[tax].did.toLowerCase() })} />
      ) : (
        <ScrollX label={t('Certificates')}>
          <table className="plain-table">
            <TableHead
              columns={[
                words[tax].party,
                figures(t('Deposited (₹)')),
                figures(`${words[tax].did} (₹)`),
                figures(t('Amount (₹)')),
                t('Section'),
              ]}
            />
            <tbody>
              {data.rows.map((row) => (
                <tr key={row.party ?? row.name}>
                  <td className="wrap">
                    {row.name}
                    <span className="sheet-note">
                      {row.pan
                        ? t('PAN {{pan}}', { pan: row.pan })
                        : t('PAN not known: higher rate of section {{tax}}', {
                            tax: tax === 'tds' ? t('206AA') : t('206CC'),
                          })}
                    </span>
                    {row.number ? (
                      <span className="sheet-note">{t('Number {{number}}', { number: row.number })}</span>
                    ) : row.hindrance ? null : (
                      <Badge word="Ready" tone="ok" />
                    )}
                    {row.hindrance && (
                      <span className="sheet-note">{t('Not yet: {{hindrance}}', { hindrance: row.hindrance })}</span>
                    )}
                    {row.mailed && (
                      <span className="sheet-note">
                        {t('Mailed to {{to}} on {{at}}', { to: row.mailed.to, at: show(row.mailed.at.slice(0, 10)) })}
                        {row.mailed.state === 'failed' && `, ${t('not delivered')}`}
                      </span>
                    )}
                    {isKnown(row) && (
                      <div className="side-actions">
                        {mayWrite && (
                          <Button
                            aria-label={t('Number of the certificate of {{name}}', { name: row.name })}
                            onClick={() => setOpen({ what: 'number', row })}
                          >
                            {t('Number')}
                          </Button>
                        )}
                        {!row.hindrance && (
                          <Button
                            aria-label={t('Print the certificate of {{name}}', { name: row.name })}
                            onClick={() => setOpen({ what: 'paper', row })}
                          >
                            {t('Print')}
                          </Button>
                        )}
                        {!row.hindrance && mayWrite && (
                          <Button
                            aria-label={t('Mail the certificate of {{name}}', { name: row.name })}
                            onClick={() => setOpen({ what: 'mail', row })}
                          >
                            {t('Mail')}
                          </Button>
                        )}
                      </div>
                    )}
                  </td>
                  <td className="num">{money(row.deposited)}</td>
                  <td className="num">{money(row.withheld)}</td>
                  <td className="num">{money(row.amount)}</td>
                  <td className="code">{row.sections.join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
      {which && open.what === 'number' && (
        <CertificateNumber which={which} row={open.row} form={data.certificate} onClose={close} />
      )}
      {which && open.what === 'mail' && (
        <MailCertificate which={which} row={open.row} form={data.certificate} onClose={close} />
      )}
      {which && open.what === 'paper' && (
        <PaperDialog
          title={t('{{certificate}} of {{name}}', { certificate: data.certificate, name: open.row.name })}
          what={t('{{certificate}} of {{name}}', { certificate: data.certificate, name: open.row.name })}
          paper={['certificate', which, open.row.version]}
          fetch={() => api.PrintTaxCertificate(which)}
          onClose={close}
        />
      )}
    </Panel>
  );
}
