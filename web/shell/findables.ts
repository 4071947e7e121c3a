import { reportNames, reportOf } from '../../contract/reports.ts';
import type { ScreenName } from '../../contract/screens.ts';
import { reportSynonyms, synonyms } from '../../contract/synonyms.ts';
import type { Address } from '../kit/navigation.tsx';
import { concerns } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { addressOf, mayRead } from '../views/report/place.ts';
import type { Findable } from './finding.ts';
import { findersOf, makersOf } from './makers.ts';
import { allOf, menuOf } from './menu.ts';

export interface Entry extends Findable {
  readonly id: string;
  readonly screen: ScreenName;
  readonly query: Address;
}

/** All that this person finds by Ctrl K: the screens of the menu, reports that share a screen, and what can be made. */
export const findablesOf = (session: Parameters<typeof menuOf>[0]): readonly Entry[] => {
  const { grants } = session;
  const screens = menuOf(session).flatMap((group) =>
    allOf(group).map(({ name, screen }) => ({
      ...{ id: name, label: t(screen.label), description: t(group.name), screen: name, query: {} },
      words: [`screen ${name.toLowerCase()}`, ...(synonyms[name] ?? [])],
    })),
  );
  const makers = [...makersOf(grants), ...findersOf(grants)]
    .filter(({ group }) => concerns(group, session))
    .map(({ name, label, group, query }) => ({
      ...{ id: `by name ${name} ${label}`, label: t(label), description: t(group), screen: name, query },
      words: [`create ${name.toLowerCase()}`],
    }));
  const named = new Set([...screens, ...makers].map(({ label }) => label));
  const reports = reportNames.flatMap((name) => {
    const report = reportOf(name);
    if (!report || named.has(report.title) || !mayRead(grants, report) || !concerns(report.section, session)) return [];
    return [
      {
        ...{ id: `report ${name}`, label: t(report.title), description: t(report.section), screen: report.screen },
        ...{ query: addressOf(name), words: reportSynonyms[name] ?? [] },
      },
    ];
  });
  return [...screens, ...makers, ...reports];
};
