import type { ScreenName } from '../../../contract/screens.ts';
import { statusLabels, statusOn } from '../../../domain/tax/gst/registration/registered.ts';
import { stateName } from '../../../domain/tax/gst/registration/states.ts';
import { ScreenLink } from '../../kit/navigation.tsx';
import { Empty, Panel, ScrollX, TableHead } from '../../kit/parts.tsx';
import { useMayOpen, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

/** As the profile tells the type of an address. */
const types: Readonly<Record<number, string>> = { 1: 'Billing', 2: 'Stock', 3: 'Billing and stock' };

interface Address {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly addressType: number;
  readonly addressLine1: string;
  readonly addressLine2: string;
  readonly city: string;
  readonly state: string;
  readonly pinCode: string;
}

/** The GSTINs and addresses of the organisation; each leads to the form on which it is changed. */
export function RegistrationsAndPlaces({ addresses }: { readonly addresses: readonly Address[] }) {
  const { registrations, today } = useSession();
  const mayOpen = useMayOpen();
  const record = (screen: ScreenName, id: string, words: string) =>
    mayOpen(screen) ? (
      <ScreenLink screen={screen} query={{ id }}>
        {words}
      </ScreenLink>
    ) : (
      words
    );
  return (
    <>
      <Panel
        title={t('GST registrations')}
        actions={mayOpen('Registration') && <ScreenLink screen="Registration">{t('All registrations')}</ScreenLink>}
      >
        <ScrollX label={t('GST registrations, all columns')}>
          <table className="plain-table">
            <TableHead columns={[t('GSTIN'), t('Legal name'), t('State'), t('Type')]} />
            <tbody>
              {registrations.map(({ id, gstin, legalName, state, ...status }) => (
                <tr key={id}>
                  <td className="code">{record('RegistrationCreation', id, gstin ?? t('None'))}</td>
                  <td>{legalName}</td>
                  <td>{stateName(state)}</td>
                  <td>{t(statusLabels[statusOn(status, today)])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      </Panel>
      <Panel
        title={t('Addresses')}
        actions={mayOpen('Manage Locations') && <ScreenLink screen="Manage Locations">{t('All locations')}</ScreenLink>}
      >
        {addresses.length === 0 ? (
          <Empty sentence={t('No locations yet')} />
        ) : (
          <ScrollX label={t('Addresses, all columns')}>
            <table className="plain-table">
              <TableHead columns={[t('Code'), t('Location'), t('Address'), t('Used for')]} />
              <tbody>
                {addresses.map(({ id, code, name, addressType, addressLine1, addressLine2, city, state, pinCode }) => (
                  <tr key={id}>
                    <td className="code">{record('newLocation', id, code)}</td>
                    <td>{name}</td>
                    <td>
                      {[addressLine1, addressLine2, `${city} ${pinCode}`.trim(), stateName(state)]
                        .filter(Boolean)
                        .join(', ')}
                    </td>
                    <td>{t(types[addressType])}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
    </>
  );
}
