import { statusLabels, statusOn } from '../../domain/tax/gst/registered.ts';
import { stateName } from '../../domain/tax/gst/states.ts';
import { Panel, ScrollX, TableHead } from '../kit/parts.tsx';
import { useSession } from '../kit/server/session.ts';

/** The GST registrations with their locations, at a glance. */
export function Registrations() {
  const { registrations, locations, today } = useSession();
  return (
    <Panel title="Registrations">
      <ScrollX label="Registrations, all columns">
        <table className="plain-table">
          <TableHead columns={['GSTIN', 'Legal name', 'State', 'Type', 'Locations']} />
          <tbody>
            {registrations.map((registration) => (
              <tr key={registration.id}>
                <td className="code">{registration.gstin ?? 'None'}</td>
                <td>{registration.legalName}</td>
                <td>{stateName(registration.state)}</td>
                <td>{statusLabels[statusOn(registration, today)]}</td>
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
