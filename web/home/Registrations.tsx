import { stateName } from '../../domain/gst/states.ts';
import { Panel, ScrollX, TableHead } from '../kit/parts.tsx';
import { useSession } from '../kit/session.ts';

const kinds = { regular: 'Regular', composition: 'Composition', unregistered: 'Not registered', sez: 'SEZ' } as const;

/** The GST registrations with their locations, at a glance. */
export function Registrations() {
  const { registrations, locations } = useSession();
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
                <td>{kinds[registration.kind]}</td>
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
