import { useQueries } from '@tanstack/react-query';
import type { ScreenName } from '../../contract/screens.ts';
import { Button } from '../kit/Button.tsx';
import { toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { type Address, useGo } from '../kit/navigation.tsx';
import { Badge, figures, Page, PageHead, Panel, ScrollX, TableHead } from '../kit/parts.tsx';
import { messageOf } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useSession } from '../kit/server/session.ts';
import { useSwitchOrganisation } from '../kit/server/useSwitchOrganisation.ts';
import { plural, t } from '../kit/text.ts';
import { monthName } from '../views/settings/Marking.tsx';
import '../views/views.css';

type Due = Awaited<ReturnType<typeof api.ListReturnsDue>>;
type Work = Awaited<ReturnType<typeof api.GetOpenWork>>;
interface Organisation {
  readonly code: string;
  readonly name: string;
}
interface Row {
  readonly organisation: Organisation;
  readonly open: { readonly due: Due; readonly work: Work } | undefined;
  readonly error: unknown;
}

/** Each organisation of the person with what waits there, as their rights there show it. */
function useRows(): readonly Row[] {
  const { organisations, subject } = useSession();
  const found = useQueries({
    queries: organisations.map(({ code }) => ({
      queryKey: ['organisations', subject, code],
      queryFn: async () => {
        const [due, work] = await Promise.all([
          api.ListReturnsDue({ OrgCode: code }),
          api.GetOpenWork({ OrgCode: code }),
        ]);
        return { due, work };
      },
      staleTime: 60_000,
    })),
  });
  return organisations.map((organisation, at) => ({
    organisation,
    open: found[at]?.data,
    error: found[at]?.error ?? undefined,
  }));
}

/** The day by which the next return of an organisation is due; those without one come last. */
const firstDue = ({ open }: Row): string => open?.due[0]?.due ?? '9999';

/** All organisations of the person: what is due, what waits for approval, and what went wrong, in one list. */
export function Organisations() {
  const rows = useRows();
  // rows keep their places until all of them are there
  const isComplete = rows.every(({ open, error }) => open || error);
  const shown = isComplete ? rows.toSorted((a, b) => (firstDue(a) < firstDue(b) ? -1 : 1)) : rows;
  return (
    <Page>
      <PageHead title={t('My organisations')} count={String(rows.length)} />
      <Panel>
        <ScrollX label={t('My organisations')}>
          <table className="plain-table organisations">
            <TableHead
              columns={[
                t('Organisation'),
                t('Next GST return'),
                figures(t('To approve')),
                figures(t('E-invoices to look at')),
                figures(t('E-way bills to look at')),
              ]}
            />
            <tbody>
              {shown.map((row) => (
                <OrganisationRow key={row.organisation.code} {...row} />
              ))}
            </tbody>
          </table>
        </ScrollX>
        <p className="muted">
          {t('GSTR-9 is listed for every registration; it is not required up to a turnover of ₹2 crore in the year.')}
        </p>
      </Panel>
    </Page>
  );
}

function OrganisationRow({ organisation: { code, name }, open, error }: Row) {
  const { today } = useSession();
  const { show } = useDateFormat();
  const enter = (screen: ScreenName, query?: Address) => ({ code, name, screen, query });
  const next = open?.due[0];
  const late = open?.due.filter(({ due }) => due < today).length ?? 0;
  return (
    <tr>
      <td>
        <Enter {...enter('Home')} text={name} />
      </td>
      {!open && <td colSpan={4}>{error ? messageOf(error) : t('Loading')}</td>}
      {open && (
        <>
          <td className="one-line">
            {next ? (
              <Enter
                {...enter('General Configuration', { tab: 'additional' })}
                text={t('{{form}} of {{month}}', { form: next.form, month: monthName(next.period) })}
              />
            ) : (
              t('None')
            )}
            {next && <div className="muted">{t('due on {{day}}', { day: show(next.due) })}</div>}
            {late > 0 && <Badge word={plural(late, 'One return overdue', '{{count}} returns overdue')} tone="bad" />}
          </td>
          <Count {...enter('Home')} count={open.work.approvals} />
          <Count {...enter('EInvoiceListView')} count={open.work.einvoices} />
          <Count {...enter('E-Way Bill')} count={open.work.wayBills} />
        </>
      )}
    </tr>
  );
}

interface EnterProps {
  readonly code: string;
  readonly name: string;
  readonly screen: ScreenName;
  readonly query: Address | undefined;
}

/** Goes over to the organisation and opens the screen there. */
function Enter({ code, name, screen, query, text }: EnterProps & { readonly text: string }) {
  const { organisation } = useSession();
  const switchTo = useSwitchOrganisation();
  const go = useGo();
  const { busy, run } = useRun(toastError);
  const enter = () =>
    run(
      async () => {
        if (organisation.code !== code) await switchTo(code);
      },
      () => go(screen, query ?? {}),
    );
  return (
    <Button look="subtle" busy={busy} onClick={() => void enter()}>
      <span className="button-text">{text}</span>
      {text !== name && <span className="hidden-text">: {name}</span>}
    </Button>
  );
}

const Count = ({ count, ...enter }: EnterProps & { readonly count: number }) => (
  <td className="num">{count === 0 ? '–' : <Enter {...enter} text={String(count)} />}</td>
);
