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

type What = 'number' | 'paper' | 'mail';

interface Quarter {
  readonly tax: Withholding;
  readonly year: string;
  readonly quarter: number;
}

/** From whom tax was withheld in a quarter: who gets a certificate, and what is missing where there is none yet. */
export function Certificates({ tax, year, quarter, mayWrite }: Quarter & { readonly mayWrite: boolean }) {
  const { show } = useDateFormat();
  const [open, setOpen] = useState<{ readonly what: What; readonly row: Known } | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('certificates', tax, year, quarter),
    queryFn: () => api.ListTaxCertificates({ tax, year, quarter }),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
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
        <Parties tax={tax} rows={data.rows} mayWrite={mayWrite} onOpen={(what, row) => setOpen({ what, row })} />
      )}
      {open && (
        <CertificateDialog
          {...open}
          which={{ tax, party: open.row.party, year, quarter }}
          form={data.certificate}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  );
}

interface PartiesProps {
  readonly tax: Withholding;
  readonly rows: readonly Certified[];
  readonly mayWrite: boolean;
  onOpen(what: What, row: Known): void;
}

function Parties({ tax, rows, mayWrite, onOpen }: PartiesProps) {
  return (
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
          {rows.map((row) => (
            <tr key={row.party ?? row.name}>
              <td className="wrap">
                <Party tax={tax} row={row} />
                {isKnown(row) && <Buttons row={row} mayWrite={mayWrite} onOpen={(what) => onOpen(what, row)} />}
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
  );
}

/** From whom it was withheld, and how far the certificate is. */
function Party({ tax, row }: { readonly tax: Withholding; readonly row: Certified }) {
  const { show } = useDateFormat();
  return (
    <>
      {row.name}
      <span className="sheet-note">
        {row.pan
          ? t('PAN {{pan}}', { pan: row.pan })
          : t('PAN not known: higher rate of section {{tax}}', { tax: tax === 'tds' ? t('206AA') : t('206CC') })}
      </span>
      {row.number ? (
        <span className="sheet-note">{t('Number {{number}}', { number: row.number })}</span>
      ) : row.obstacle ? null : (
        <Badge word="Ready" tone="ok" />
      )}
      {row.obstacle && <span className="sheet-note">{t('Not yet: {{obstacle}}', { obstacle: row.obstacle })}</span>}
      {row.mailed && (
        <span className="sheet-note">
          {t('Mailed to {{to}} on {{at}}', { to: row.mailed.to, at: show(row.mailed.at.slice(0, 10)) })}
          {row.mailed.state === 'failed' && `, ${t('not delivered')}`}
        </span>
      )}
    </>
  );
}

interface ButtonsProps {
  readonly row: Known;
  readonly mayWrite: boolean;
  onOpen(what: What): void;
}

/** What can be done with a certificate; it is printed and mailed once nothing is missing. */
function Buttons({ row: { name, obstacle }, mayWrite, onOpen }: ButtonsProps) {
  const buttons: readonly { readonly what: What; readonly label: string; says: string; isOffered: boolean }[] = [
    {
      what: 'number',
      label: t('Number'),
      says: t('Number of the certificate of {{name}}', { name }),
      isOffered: mayWrite,
    },
    { what: 'paper', label: t('Print'), says: t('Print the certificate of {{name}}', { name }), isOffered: !obstacle },
    {
      what: 'mail',
      label: t('Mail'),
      says: t('Mail the certificate of {{name}}', { name }),
      isOffered: !obstacle && mayWrite,
    },
  ];
  return (
    <div className="side-actions">
      {buttons
        .filter(({ isOffered }) => isOffered)
        .map(({ what, label, says }) => (
          <Button key={what} aria-label={says} onClick={() => onOpen(what)}>
            {label}
          </Button>
        ))}
    </div>
  );
}

interface DialogProps {
  readonly what: What;
  readonly row: Known;
  readonly which: Quarter & { readonly party: string };
  readonly form: string;
  onClose(): void;
}

function CertificateDialog({ what, row, which, form, onClose }: DialogProps) {
  if (what === 'number') return <CertificateNumber which={which} row={row} form={form} onClose={onClose} />;
  if (what === 'mail') return <MailCertificate which={which} row={row} form={form} onClose={onClose} />;
  const title = t('{{certificate}} of {{name}}', { certificate: form, name: row.name });
  return (
    <PaperDialog
      title={title}
      what={title}
      paper={['certificate', which, row.version]}
      fetch={() => api.PrintTaxCertificate(which)}
      onClose={onClose}
    />
  );
}
