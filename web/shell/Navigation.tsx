import { IconChevronRight, IconDots, IconPin, IconPinFilled } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isInUse } from '../../contract/menu-use.ts';
import type { Screen, ScreenName } from '../../contract/screens.ts';
import { configurationTabs } from '../../contract/settings.ts';
import { useShownCrumb } from '../kit/crumb.ts';
import { toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { cut } from '../kit/format.ts';
import { ScreenLink, useAddress } from '../kit/navigation.tsx';
import { Badge } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { sessionQuery, useMayOpen, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { allOf, crumbTarget, entryOf, iconOf, type MenuEntry, type MenuGroup } from './menu.ts';
import { DrawerSettings } from './SettingsMenu.tsx';

interface NavigationProps {
  readonly menu: readonly MenuGroup[];
  readonly current: string;
  readonly group: string;
  /** Opens the panel that an entry of a group stands for instead of a screen. */
  onStock(): void;
}

/** The rail of groups: an icon with its word; a group opens its first screen. Groups that the organisation does not use are under More. */
export function Rail({ menu, group }: Pick<NavigationProps, 'menu' | 'group'>) {
  const [open, setOpen] = useState(false);
  const isShown = ({ name, entries }: MenuGroup) => open || entries.length > 0 || name === group;
  const isMore = menu.some(({ entries, name }) => entries.length === 0 && name !== group);
  return (
    <nav className="rail" aria-label={t('Areas')}>
      {menu.filter(isShown).map((each) => {
        const { name } = each;
        const Icon = iconOf[name];
        const [first] = allOf(each);
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
      {isMore && (
        <button type="button" className="rail-item" aria-expanded={open} onClick={() => setOpen(!open)}>
          <IconDots size={20} stroke={1.6} aria-hidden />
          <span>{open ? t('Less') : t('More')}</span>
        </button>
      )}
    </nav>
  );
}

/** The screens of one group, names cut at 20 characters with the full name in the title. */
export function SubMenu({ menu, group, current, onStock }: NavigationProps) {
  const shown = menu.find(({ name }) => name === group);
  if (!shown || allOf(shown).length < 2 || group === 'Home') return null;
  return (
    <nav className="submenu" aria-label={t(group)}>
      <h2>{t(group)}</h2>
      <Entries entries={shown.entries} current={current} all={allOf(shown)} />
      {group === STOCK && <StockEntry onOpen={onStock} />}
      <MoreEntries key={group} group={shown} current={current} />
    </nav>
  );
}

/** What of a group the organisation does not use: open where nothing of it is used, or where one is. */
function MoreEntries({ group: { entries, more }, current }: { readonly group: MenuGroup; readonly current: string }) {
  const all = [...entries, ...more];
  if (more.length === 0) return null;
  const isHere = more.some(({ name }) => name === entryOf(all, current));
  return (
    <details className="more-entries" open={entries.length === 0 || isHere || undefined}>
      <summary className="submenu-item">
        {t('More')}
        <IconChevronRight size={14} className="drawer-arrow" aria-hidden />
      </summary>
      <Entries entries={more} current={current} all={all} />
    </details>
  );
}

interface EntriesProps {
  readonly entries: readonly MenuEntry[];
  readonly current: string;
  /** All of the group: the current screen is under one of them. */
  readonly all: readonly MenuEntry[];
}

function Entries({ entries, current, all }: EntriesProps) {
  const at = entryOf(all, current);
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
          <Pin name={name} label={t(screen.label)} />
        </li>
      ))}
    </ul>
  );
}

/** Brings an entry from under More into the menu of the person, or takes it back. What is used anyhow is not pinned. */
function Pin({ name, label }: { readonly name: ScreenName; readonly label: string }) {
  const session = useSession();
  const cache = useQueryClient();
  const { busy, run } = useRun(toastError);
  const isPinned = session.pins.includes(name);
  if (!isPinned && isInUse(name, session)) return null;
  const pin = () =>
    run(async () => {
      const { pins } = await api.PinScreen({ screen: name, pinned: !isPinned });
      cache.setQueryData(sessionQuery.queryKey, (now) => now && { ...now, pins });
    });
  const Icon = isPinned ? IconPinFilled : IconPin;
  return (
    <button
      type="button"
      className="pin"
      aria-pressed={isPinned}
      aria-label={t('Keep {{label}} in the menu', { label })}
      title={isPinned ? t('Take out of the menu') : t('Keep in the menu')}
      onClick={() => !busy && void pin()}
    >
      <Icon size={14} aria-hidden />
    </button>
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
  const isUsed = ({ entries }: MenuGroup) => entries.length > 0;
  const rest = menu.filter((each) => !isUsed(each));
  const draw = (each: MenuGroup) => {
    const { name, entries } = each;
    const Icon = iconOf[name];
    return (
      <details key={name} open={name === group}>
        <summary>
          {Icon && <Icon size={20} stroke={1.6} aria-hidden />}
          {t(name)}
          <IconChevronRight size={16} className="drawer-arrow" aria-hidden />
        </summary>
        <Entries entries={entries} current={current} all={allOf(each)} />
        {name === STOCK && <StockEntry onOpen={onStock} />}
        <MoreEntries group={each} current={current} />
      </details>
    );
  };
  return (
    <nav aria-label={t('Menu')} className="drawer-menu">
      {menu.filter(isUsed).map(draw)}
      {rest.length > 0 && (
        <details open={rest.some(({ name }) => name === group)}>
          <summary>
            <IconDots size={20} stroke={1.6} aria-hidden />
            {t('More')}
            <IconChevronRight size={16} className="drawer-arrow" aria-hidden />
          </summary>
          {rest.map(draw)}
        </details>
      )}
      <DrawerSettings />
    </nav>
  );
}

/** Where one is; the last crumb is text. */
export function Crumbs({ screen }: { readonly screen: Screen }) {
  const mayOpen = useMayOpen();
  const { tab } = useAddress();
  const sub = 'tab' in screen.show ? configurationTabs.find(({ key }) => key === tab) : undefined;
  const named = useShownCrumb();
  const own = sub && sub.key !== 'general' ? [...screen.trail, sub.label] : screen.trail;
  // a record that the screen names is the last crumb: under its list, and in place of the words for any record
  const above = screen.show.view === 'masterList' ? own : own.slice(0, -1);
  const trail = named ? [...above, named] : own;
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
                {target ? (
                  <ScreenLink screen={target}>{t(crumb)}</ScreenLink>
                ) : (
                  <span>{crumb === named ? crumb : t(crumb)}</span>
                )}
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
