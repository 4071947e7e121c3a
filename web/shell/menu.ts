import {
  IconAffiliate,
  IconBook2,
  IconBooks,
  IconBox,
  IconBuilding,
  IconCashBanknote,
  IconChartBar,
  IconDatabaseImport,
  IconFileInvoice,
  IconHome,
  IconPercentage,
  IconSettings,
  IconShoppingCart,
  IconTags,
  IconUsers,
} from '@tabler/icons-react';
import { isInUse } from '../../contract/menu-use.ts';
import { type Screen, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import type { Session } from '../../contract/session.ts';
import { concerns, mayOpen } from '../kit/server/session.ts';

export interface MenuEntry {
  readonly name: ScreenName;
  readonly screen: Screen;
}
export interface MenuGroup {
  readonly name: string;
  /** What the organisation uses, in the order of the screens. */
  readonly entries: readonly MenuEntry[];
  /** The rest, under More. */
  readonly more: readonly MenuEntry[];
}

export const iconOf: Readonly<Record<string, typeof IconHome>> = {
  Home: IconHome,
  Organisation: IconBuilding,
  Configuration: IconSettings,
  Parties: IconUsers,
  Items: IconTags,
  Inventory: IconBox,
  Sales: IconFileInvoice,
  Purchases: IconShoppingCart,
  Expenses: IconCashBanknote,
  Accounts: IconBook2,
  GST: IconPercentage,
  Reports: IconChartBar,
  Orders: IconAffiliate,
  Catalogue: IconBooks,
  Data: IconDatabaseImport,
};

const order = [
  'Home',
  'Sales',
  'Purchases',
  'Orders',
  'Expenses',
  'Parties',
  'Items',
  'Inventory',
  'Accounts',
  'GST',
  'Reports',
];
const rank = (group: string) => (order.includes(group) ? order.indexOf(group) : order.length);

type Using = Parameters<typeof isInUse>[1] & Pick<Session, 'grants'>;

/**
 * The screens this person may open, by group: first what the organisation uses, then the rest. What is not in the menu is left
 * out, and GST where there is none.
 */
export const menuOf = (session: Using): readonly MenuGroup[] => {
  const groups = new Map<string, MenuGroup>();
  for (const name of screenNames) {
    const screen: Screen = screens[name];
    if (!screen.inMenu || !mayOpen(session.grants, screen) || !concerns(screen.group, session)) continue;
    const { entries, more } = groups.get(screen.group) ?? { entries: [], more: [] };
    const entry = { name, screen };
    groups.set(screen.group, {
      name: screen.group,
      ...(isInUse(name, session) ? { entries: [...entries, entry], more } : { entries, more: [...more, entry] }),
    });
  }
  return [...groups.values()].sort((a, b) => rank(a.name) - rank(b.name));
};

/** All entries of a group. */
export const allOf = ({ entries, more }: Pick<MenuGroup, 'entries' | 'more'>): readonly MenuEntry[] => [
  ...entries,
  ...more,
];

/** The entry of a menu under which one is: the screen itself, or the one that its trail goes through. */
export const entryOf = (entries: readonly MenuEntry[], current: string): ScreenName | undefined => {
  const own = entries.find(({ name }) => name === current);
  if (own) return own.name;
  const { trail }: Pick<Screen, 'trail'> = screens[current as ScreenName] ?? { trail: [] };
  const through = entries.filter(({ screen }) => screen.trail.every((crumb, at) => crumb === trail[at]));
  return through.sort((one, other) => other.screen.trail.length - one.screen.trail.length)[0]?.name;
};

/** The screen a crumb leads to: the one of the menu with that label, of the same group where there are two. */
export const crumbTarget = (screen: Screen, crumb: string): ScreenName | undefined => {
  const found = screenNames.filter((name) => screens[name].label === crumb && (screens[name] as Screen).inMenu);
  return found.find((name) => screens[name].group === screen.group) ?? found[0];
};
