import { stateName } from '../../domain/gst/states.ts';
import { Panel, ScrollX } from '../kit/parts.tsx';
import { useSession } from '../kit/session.ts';

const kinds = { regular: 'Regular', composition: 'Composition', unregistered: 'Not registered', sez: 'SEZ' } as const;

/** The GST registrations with their locations, at a glance. */
export function Registrations() {
  const { registrations, locations } = useSession();
  return (
    <Panel title="Registrations">
      <ScrollX label="Registrations, all columns">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">GSTIN</th>
              <th scope="col">Legal name</th>
              <th scope="col">State</th>
              <th scope="col">Type</th>
              <th scope="col">Locations</th>
            </tr>
          </thead>
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
