import { type Action, ActionButtons } from '../../kit/actions.tsx';
import { PageHead } from '../../kit/parts.tsx';
import { t } from '../../kit/text.ts';
import type { KeptBill } from '../bills/billStore.ts';
import type { OpenTill } from '../counter.ts';

/** The name of the till, what becomes of its bills, and what can be done there. */
export function SellingHead({
  till,
  online,
  bills,
  actions,
}: {
  readonly till: OpenTill;
  readonly online: boolean;
  readonly bills: readonly KeptBill[];
  readonly actions: readonly Action[];
}) {
  const waiting = bills.filter(({ state }) => state === 'waiting').length;
  const refused = bills.filter(({ state }) => state === 'refused').length;
  return (
    <PageHead
      title={till.name}
      count={till.locationName}
      beside={
        <span role="status" className="till-state">
          {!online && (
            <span className="badge" data-tone="warn">
              {t('No network: bills are kept here')}
            </span>
          )}
          {waiting > 0 && (
            <span className="badge" data-tone="warn">
              {t('{{waiting}} waiting to be sent', { waiting })}
            </span>
          )}
          {refused > 0 && (
            <span className="badge" data-tone="bad">
              {t('{{refused}} refused: see Bills', { refused })}
            </span>
          )}
        </span>
      }
      actions={<ActionButtons actions={actions} />}
    />
  );
}
