import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Screen, ScreenName } from '../../contract/screens.ts';
import { configurationTabs } from '../../contract/settings.ts';
import { cut } from '../kit/format.ts';
import { ScreenLink, useAddress } from '../kit/navigation.tsx';
import { Badge } from '../kit/parts.tsx';
import { useMayOpen, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { crumbTarget, entryOf, iconOf, type MenuGroup } from './menu.ts';
import { DrawerSettings } from './SettingsMenu.tsx';

interface NavigationProps {
  readonly menu: readonly MenuGroup[];
  readonly current: string;
  readonly group: string;
  /** Opens the panel that an entry of a group stands for instead of a screen. */
  onStock(): void;
}

/** The rail of groups: an icon with its word; a group opens its first screen. */
export function Rail({ menu, group }: Pick<NavigationProps, 'menu' | 'group'>) {
  return (
    <nav className="rail" aria-label={t('Areas')}>
      {menu.map(({ name, entries }) => {
        const Icon = iconOf[name];
        const first = entries[0];
        if (!first) return null;
        return (
          <Link
            key={name}
            to="/layout/$"
            params={{ _splat: first.name }}
            search={{}}
            className="rail-item"
            data-current={name === group || undefined}
          >
            {Icon && <Icon size={20} stroke={1.6} aria-hidden />}
            <span>{t(name)}</span>
          </Link>
        );
      })}
    </nav>
  );
}

/** The screens of one group, names cut at 20 characters with the full name in the title. */
export function SubMenu({ menu, group, current, onStock }: NavigationProps) {
  const entries = menu.find(({ name }) => name === group)?.entries ?? [];
  if (entries.length < 2 || group === 'Home') return null;
  return (
    <nav className="submenu" aria-label={t(group)}>
      <h2>{t(group)}</h2>
      <Entries entries={entries} current={current} />
      {group === STOCK && <StockEntry onOpen={onStock} />}
    </nav>
  );
}

function Entries({ entries, current }: { readonly entries: MenuGroup['entries']; readonly current: string }) {
  const at = entryOf(entries, current);
  return (
    <ul>
      {entries.map(({ name, screen }) => (
        <li key={name}>
          <Link
            to="/layout/$"
            params={{ _splat: name }}
            search={{}}
            className="submenu-item"
            title={t(screen.label)}
            data-current={name === at || undefined}
            aria-current={name === at ? (name === current ? 'page' : true) : undefined}
          >
            {cut(t(screen.label), 20)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const STOCK = 'Inventory';
const LEVELS = 'Location Stock Levels';

/** Not a screen: it opens a panel beside the one that is open. */
function StockEntry({ onOpen }: { onOpen(): void }) {
  // stock is asked for by who has a grant at all
  if (Object.keys(useSession().grants).length === 0) return null;
  return (
    <button type="button" className="submenu-item" title={t(LEVELS)} onClick={onOpen}>
      {cut(t(LEVELS), 20)}
    </button>
  );
}

/** The whole menu in the phone's drawer; the group in use is open. */
export function DrawerMenu({ menu, group, current, onStock }: NavigationProps) {
  return (
    <nav aria-label={t('Menu')} className="drawer-menu">
      {menu.map(({ name, entries }) => {
        const Icon = iconOf[name];
        return (
          <details key={name} open={name === group}>
            <summary>
              {Icon && <Icon size={20} stroke={1.6} aria-hidden />}
              {t(name)}
              <IconChevronRight size={16} className="drawer-arrow" aria-hidden />
            </summary>
            <Entries entries={entries} current={current} />
            {name === STOCK && <StockEntry onOpen={onStock} />}
          </details>
        );
      })}
      <DrawerSettings />
    </nav>
  );
}

/** Where one is; the last crumb is text. */
export function Crumbs({ screen }: { readonly screen: Screen }) {
  const mayOpen = useMayOpen();
  const { tab } = useAddress();
  const sub = 'tab' in screen.show ? configurationTabs.find(({ key }) => key === tab) : undefined;
  const trail = sub && sub.key !== 'general' ? [...screen.trail, sub.label] : screen.trail;
  const linkOf = (crumb: string): ScreenName | undefined => {
    const target = crumbTarget(screen, crumb);
    return target && mayOpen(target) ? target : undefined;
  };
  return (
    <div className="crumbs">
      <nav aria-label={t('Breadcrumb')}>
        <ol>
          {trail.map((crumb, at) => {
            const last = at === trail.length - 1;
            const target = last ? undefined : linkOf(crumb);
            return (
              <li key={crumb} aria-current={last ? 'page' : undefined}>
                {at > 0 && <IconChevronRight size={14} aria-hidden />}
                {target ? <ScreenLink screen={target}>{t(crumb)}</ScreenLink> : <span>{t(crumb)}</span>}
              </li>
            );
          })}
        </ol>
      </nav>
      <Pretended />
    </div>
  );
}

/** Where something of the installation is pretended, every screen says so. */
function Pretended() {
  const { portal, demo } = useSession().installation;
  const says = [
    ...(portal === 'standIn'
      ? [t('portals and payments are stand-ins: no IRN, e-way bill or payment made here is real')]
      : []),
    ...(demo ? [t('this installation has demo organisations with a published password')] : []),
  ];
  if (says.length === 0) return null;
  const sentence = `Trial: ${says.join('; ')}`;
  return (
    <span className="pretended" title={sentence}>
      <Badge word="Trial" tone="warn" />
      <span className="hidden-text">{sentence}</span>
    </span>
  );
}
