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
import { t } from '../../kit/text.ts';
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
    <Panel title={t('Why can or can’t this user do this?')}>
      <div className="fields">
        {fixed === undefined && (
          <ComboboxField label={t('User')} value={chosen} onChange={setChosen} search={users} span={2} />
        )}
        <ComboboxField
          label={t('Screen')}
          value={screen}
          onChange={setScreen}
          search={searchScreen}
          span={2}
          help={t('Where in the menu, or the name in the address')}
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
          ? t('No locations are chosen for this user or their groups: all locations.')
          : t(
              'Only records of {{locations}}: this user does not see lists, documents and stock of other locations and cannot post there.',
              { locations: data.locations.map(placed).join(', ') },
            )}
      </p>
      <Calls calls={data.calls} />
    </div>
  );
}

/** A location with the groups that give it, where it is not only the user's own. */
const placed = ({ name, own, groups }: Explained['locations'][number]): string =>
  groups.length === 0
    ? name
    : t('{{name}} ({{own}}by the group {{groups}})', {
        name,
        own: own ? `${t('chosen for the user and')} ` : '',
        groups: groups.join(', '),
      });

/** One sentence with the rule that decided. */
function because({ user, screen, ways }: Explained): string {
  if (!screen.built) return t('{{label}} does not work yet, for nobody.', { label: t(screen.label) });
  if (screen.always) return t('{{label}} is open to everyone signed in.', { label: t(screen.label) });
  if (screen.needs === 0)
    return t('{{label}} is open to everyone signed in; what is done on it needs a level.', { label: t(screen.label) });
  const needed = screenCalled(screen.name);
  const where =
    needed && screen.parent !== screen.name
      ? t('{{label}} stands under {{parentLabel}} and', { label: t(screen.label), parentLabel: screen.parentLabel })
      : screen.label;
  const sum = ways.reduce<Held>((held, { level }) => together(held, level), 0);
  const held = sum === 0 ? 'no level' : t('the level {{sum}}', { sum: t(heldWords(sum)) });
  return t('{{where}} needs {{levelWords}} on {{parentLabel}}; {{name}} has {{held}} there.', {
    where,
    levelWords: t(levelWords[screen.needs]),
    parentLabel: screen.parentLabel,
    name: user.name,
    held,
  });
}

function Ways({ explained: { ways, screen } }: { readonly explained: Explained }) {
  if (ways.length === 0)
    return (
      <p>
        {t(
          'No role of this user or of their groups grants access to {{parentLabel}}. Assign a role that does, or raise the level in ' +
            'a role they have.',
          { parentLabel: screen.parentLabel },
        )}
      </p>
    );
  return (
    <ul className="plain-list" aria-label={t('Where the level comes from')}>
      {ways.map(({ role, group, level }) => (
        <li key={`${role}/${group}`}>
          <span>
            {group === null
              ? t('Role {{role}}', { role })
              : t('Role {{role}}, by the group {{group}}', { role, group })}
          </span>
          <span>{t(levelWords[level])}</span>
        </li>
      ))}
    </ul>
  );
}

function Calls({ calls }: Pick<Explained, 'calls'>) {
  if (calls.length === 0) return null;
  return (
    <ScrollX label={t('Possible actions')}>
      <table className="plain-table">
        <caption className="hidden-text">{t('Possible actions')}</caption>
        <TableHead columns={[t('Call'), t('Does'), t('Needs'), t('Allowed')]} />
        <tbody>
          {calls.map(({ call, summary, action, levels, everyone, allowed }) => (
            <tr key={call}>
              <td className="code">{call}</td>
              <td>{summary}</td>
              <td>
                {t(actionWords[action])}: {everyone ? t('everyone signed in') : said(levels)}
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
