import { statusLabels, statusOn } from '../../domain/tax/gst/registration/registered.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import { Panel, ScrollX, TableHead } from '../kit/parts.tsx';
import { useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

/** The GST registrations with their locations, at a glance. */
export function Registrations() {
  const { registrations, locations, today } = useSession();
  return (
    <Panel title={t('Registrations')}>
      <ScrollX label={t('Registrations, all columns')}>
        <table className="plain-table">
          <TableHead columns={[t('GSTIN'), t('Legal name'), t('State'), t('Type'), t('Locations')]} />
          <tbody>
            {registrations.map((registration) => (
              <tr key={registration.id}>
                <td className="code">{registration.gstin ?? t('None')}</td>
                <td>{registration.legalName}</td>
                <td>{stateName(registration.state)}</td>
                <td>{t(statusLabels[statusOn(registration, today)])}</td>
                <td>
                  {locations
                    .filter((each) => each.registration === registration.id)
                    .map((each) => each.name)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </Panel>
  );
}
