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
import { type Screen, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import type { Session } from '../../contract/session.ts';
import { concerns, mayOpen } from '../kit/server/session.ts';

export interface MenuGroup {
  readonly name: string;
  readonly entries: readonly { readonly name: ScreenName; readonly screen: Screen }[];
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

/** The screens this person may open, by group; what is not in the menu is left out, and GST where there is none. */
export const menuOf = ({ grants, ...session }: Pick<Session, 'grants' | 'registrations'>): readonly MenuGroup[] => {
  const groups = new Map<string, MenuGroup['entries']>();
  for (const name of screenNames) {
    const screen: Screen = screens[name];
    if (screen.inMenu && mayOpen(grants, screen) && concerns(screen.group, session))
      groups.set(screen.group, [...(groups.get(screen.group) ?? []), { name, screen }]);
  }
  return [...groups].map(([name, entries]) => ({ name, entries })).sort((a, b) => rank(a.name) - rank(b.name));
};

/** The entry of a menu under which one is: the screen itself, or the one that its trail goes through. */
export const entryOf = (entries: MenuGroup['entries'], current: string): ScreenName | undefined => {
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
