import { Menu } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Setting } from '../../contract/settings.ts';
import { IconButton } from '../kit/Button.tsx';
import { useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { settingsFor } from './settings.ts';

const searchOf = ({ tab }: Setting): Record<string, string> => (tab ? { tab } : {});

/** What is set up, from the top bar: a heading holds its entries and is not clickable itself. */
export function SettingsMenu() {
  const { grants, settings } = useSession();
  return (
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false} width={260}>
      <Menu.Target>
        <IconButton label={t('Settings')}>
          <IconSettings size={20} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown className="settings-menu">
        {settingsFor(grants, settings).map((one) =>
          one.within ? (
            <Fragment key={one.label}>
              <Menu.Label>{t(one.label)}</Menu.Label>
              {one.within.map((entry) => (
                <Entry key={entry.label} entry={entry} nested />
              ))}
            </Fragment>
          ) : (
            <Entry key={one.label} entry={one} />
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const Entry = ({ entry, nested }: { readonly entry: Setting; readonly nested?: true }) => (
  <Menu.Item
    data-nested={nested}
    renderRoot={(props: object) => (
      <Link {...props} to="/layout/$" params={{ _splat: entry.screen ?? '' }} search={searchOf(entry)} />
    )}
  >
    {t(entry.label)}
  </Menu.Item>
);

/** The same in the drawer of a small screen, as one of its groups. */
export function DrawerSettings() {
  const { grants, settings } = useSession();
  const links = (entries: readonly Setting[]) => (
    <ul>
      {entries.map((entry) => (
        <li key={entry.label}>
          {entry.within ? (
            <>
              <h3>{t(entry.label)}</h3>
              {links(entry.within)}
            </>
          ) : (
            <Link
              to="/layout/$"
              params={{ _splat: entry.screen ?? '' }}
              search={searchOf(entry)}
              className="submenu-item"
            >
              {t(entry.label)}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <details>
      <summary>
        <IconSettings size={20} stroke={1.6} aria-hidden />
        {t('Settings')}
      </summary>
      {links(settingsFor(grants, settings))}
    </details>
  );
}
