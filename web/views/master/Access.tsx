import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { type Held, heldWords, levelWords, together } from '../../../contract/levels.ts';
import type { peopleCalls } from '../../../contract/people.ts';
import { screenCalled, screenNames, screens } from '../../../contract/screens.ts';
import { ComboboxField, type Option, type Search } from '../../kit/fields/Combobox.tsx';
import { Badge, ErrorPanel, Panel, ScrollX, Skeleton, TableHead } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useScreenKey } from '../../kit/server/session.ts';
import { usePick } from '../editor/searches.ts';

type Explained = z.output<(typeof peopleCalls)['ExplainAccess']['details']>;

const actionWords = {
  read: 'Read',
  view: 'View',
  write: 'Write',
  approve: 'Approve',
  settings: 'Set up',
  full: 'Full',
} as const;
const said = (levels: readonly number[]): string => levels.map((level) => levelWords[level]).join(' or ');

const options: readonly Option[] = screenNames.map((name) => ({
  id: name,
  name: screens[name].trail.join(' › '),
  note: name,
}));
const searchScreen: Search = async (text) => {
  const found = options.filter(({ name, note }) => `${name} ${note}`.toLowerCase().includes(text.toLowerCase()));
  return { rows: found.slice(0, 50), total: found.length };
};

/** Why can or can't a user do this: asked of the registry and the functions that the server itself asks. */
export function Access({ user: fixed }: { readonly user?: string }) {
  const [chosen, setChosen] = useState<Option | null>(null);
  const [screen, setScreen] = useState<Option | null>(null);
  const users = usePick('user');
  const user = fixed ?? chosen?.id;
  return (
    <Panel title="Why can or can’t this user do this?">
      <div className="fields">
        {fixed === undefined && (
          <ComboboxField label="User" value={chosen} onChange={setChosen} search={users} span={2} />
        )}
        <ComboboxField
          label="Screen"
          value={screen}
          onChange={setScreen}
          search={searchScreen}
          span={2}
          help="Where in the menu, or the name in the address"
        />
      </div>
      {user !== undefined && screen && <Answer user={user} screen={screen.id} />}
    </Panel>
  );
}

function Answer({ user, screen }: { readonly user: string; readonly screen: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: useScreenKey('access', user, screen),
    queryFn: () => api.ExplainAccess({ user, screen }),
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) return <Skeleton rows={4} />;
  return (
    <div className="access" role="status">
      <p>
        <Badge word={data.screen.opens ? 'Can open' : 'Cannot open'} tone={data.screen.opens ? 'ok' : 'bad'} />{' '}
        {because(data)}
      </p>
      <Ways explained={data} />
      {data.limits.map((limit) => (
        <p key={limit}>
          <Badge word="Besides" tone="warn" /> {limit}
        </p>
      ))}
      <p className="muted">
        {data.locations.length === 0
          ? 'No locations are chosen for this user or for his groups: all of them.'
          : `Only what belongs to ${data.locations.map(placed).join(', ')}: lists, views, posting and stock of other locations do not exist for this user.`}
      </p>
      <Calls calls={data.calls} />
    </div>
  );
}

/** A location with the groups that give it, where it is not his own alone. */
const placed = ({ name, own, groups }: Explained['locations'][number]): string =>
  groups.length === 0 ? name : `${name} (${own ? 'chosen for him and ' : ''}by the group ${groups.join(', ')})`;

/** One sentence with the rule that decided. */
function because({ user, screen, ways }: Explained): string {
  if (!screen.built) return `${screen.label} does not work yet, for nobody.`;
  if (screen.always) return `${screen.label} is open to everyone signed in.`;
  if (screen.needs === 0) return `${screen.label} is open to everyone signed in; what is done on it needs a level.`;
  const needed = screenCalled(screen.name);
  const where =
    needed && screen.parent !== screen.name ? `${screen.label} stands under ${screen.parentLabel} and` : screen.label;
  const sum = ways.reduce<Held>((held, { level }) => together(held, level), 0);
  const held = sum === 0 ? 'no level' : `the level ${heldWords(sum)}`;
  return `${where} needs ${levelWords[screen.needs]} on ${screen.parentLabel}; ${user.name} has ${held} there.`;
}

function Ways({ explained: { ways, screen } }: { readonly explained: Explained }) {
  if (ways.length === 0)
    return (
      <p>
        No role of this user, and none of his groups, grants anything on {screen.parentLabel}. Give one that does, or a
        level in a role he has.
      </p>
    );
  return (
    <ul className="plain-list" aria-label="Where the level comes from">
      {ways.map(({ role, group, level }) => (
        <li key={`${role}/${group}`}>
          <span>{group === null ? `Role ${role}` : `Role ${role}, by the group ${group}`}</span>
          <span>{levelWords[level]}</span>
        </li>
      ))}
    </ul>
  );
}

function Calls({ calls }: Pick<Explained, 'calls'>) {
  if (calls.length === 0) return null;
  return (
    <ScrollX label="What can be done there">
      <table className="plain-table">
        <caption className="hidden-text">What can be done there</caption>
        <TableHead columns={['Call', 'Does', 'Needs', 'Allowed']} />
        <tbody>
          {calls.map(({ call, summary, action, levels, everyone, allowed }) => (
            <tr key={call}>
              <td className="code">{call}</td>
              <td>{summary}</td>
              <td>
                {actionWords[action]}: {everyone ? 'everyone signed in' : said(levels)}
              </td>
              <td>
                <Badge word={allowed ? 'Yes' : 'No'} tone={allowed ? 'ok' : 'bad'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
