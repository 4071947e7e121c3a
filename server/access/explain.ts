import { sql } from 'kysely';
import { type CallName, calls } from '../../contract/calls.ts';
import type { Action, Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { shownLevel } from '../../contract/levels.ts';
import { masterNames } from '../../contract/masters.ts';
import { moduleOf, moduleOfScreen } from '../../contract/modules.ts';
import type { peopleCalls } from '../../contract/people.ts';
import { reportNames } from '../../contract/reports.ts';
import { type Level, mayOpen, type Screen, screenCalled } from '../../contract/screens.ts';
import { dayInWords } from '../../domain/base/dates.ts';
import { kindNames } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { type Grants, grantsOf, levelsFor, may, parentsOfKind, parentsOfMaster } from './index.ts';
import { isRowNeed, type Need, type Rule } from './rule.ts';
import { rules } from './rules.ts';

type Call = (typeof peopleCalls)['ExplainAccess'];
type Explained = Answer<Call>;

/** What an input may name; a rule reads from it the screens that it asks about. */
const question = (of: { readonly kind?: string; readonly master?: string; readonly report?: string }) => {
  const { kind = '', master = '', report = '' } = of;
  return { kind, Type: kind, TransactionType: kind, draft: { kind }, document: { kind }, master, report };
};
type Question = ReturnType<typeof question>;

const questions: readonly Question[] = [
  ...kindNames.map((kind) => question({ kind })),
  ...masterNames.map((master) => question({ master })),
  ...reportNames.map((report) => question({ report })),
];

interface Asked {
  readonly action: Exclude<Action, 'open'>;
  readonly screens: readonly string[];
}

/** An action that does not depend on the row, as far as it can be said before there is one. */
const usualAction = (need: Need<Question>, asked: Question): Action =>
  typeof need.action !== 'function' ? need.action : isRowNeed(need) ? 'write' : need.action(asked);

/** What a need asks for when it touches this parent screen: the same needs that the server checks at every request. */
function askedOn(parent: string, need: Need<Question>): Asked | undefined {
  const asking = (screens: readonly string[], asked: Question): Asked | undefined => {
    const action = usualAction(need, asked);
    return action === 'open' ? undefined : { action, screens };
  };
  if (isRowNeed(need)) {
    // a row may be of any kind
    const kind = kindNames.find((name) => parentsOfKind(name).includes(parent));
    return kind && asking(parentsOfKind(kind), question({ kind }));
  }
  // a need that reads nothing of its input names the same screens whatever is asked; one that does names no kind, master and report at once
  const whatever = need.screens(question({}));
  const fixed = questions.every((one) => need.screens(one).join() === whatever.join());
  if (fixed) return whatever.includes(parent) ? asking(whatever, question({})) : undefined;
  const own = questions.filter(
    (one) =>
      (one.kind && parentsOfKind(one.kind).includes(parent)) ||
      (one.master && parentsOfMaster(one.master).includes(parent)) ||
      one.report,
  );
  const asked = own.find((one) => need.screens(one).includes(parent));
  return asked && asking(need.screens(asked), asked);
}

/** The calls of a parent screen, each with what it needs there and whether these grants allow all of that. */
export const callsOn = (parent: string, grants: Grants): Explained['calls'] =>
  (Object.keys(calls) as CallName[]).flatMap((call) => {
    const { needs } = rules[call] as Rule<Question>;
    const asked = needs.flatMap((need) => askedOn(parent, need) ?? []);
    const [first] = asked;
    if (!first) return [];
    const allowedBy = (held: Grants) => asked.every(({ action, screens }) => may(held, action, screens));
    return [
      {
        call,
        summary: calls[call].summary,
        action: first.action,
        levels: levelsFor(first.action).filter((level) =>
          asked.every(({ action }) => levelsFor(action).includes(level)),
        ),
        everyone: allowedBy(new Map()),
        allowed: allowedBy(grants),
      },
    ];
  });

/** Why a user can or cannot: from the registry and the functions that every request is answered by. */
export const explainAccess = ({ user, screen: name }: Input<Call>, context: Context): Promise<Explained> =>
  context.inTransaction(async (trx) => {
    const screen = screenCalled(name);
    if (!screen || (user !== context.user && context.sees({ master: 'user' }) === 'own')) throw new Refusal('notFound');
    const org = context.organisation;
    const { rows } = await sql<{
      name: string;
      email: string;
      active: boolean;
      accepted: boolean;
      locations: Explained['locations'] | null;
      locked: string | null;
    }>`
      select
        u.name, u.email, u.active, u.accepted_at is not null as accepted,
        (select locked_through from locks k where k.organisation = u.organisation) as locked,
        (
          select json_agg(json_build_object('name', l.name, 'own', p.own, 'groups', p.groups) order by l.code)
          from (
            select
              x.location, bool_or(x."group" is null) as own,
              coalesce(json_agg(g.name order by lower(g.name)) filter (where g.id is not null), '[]') as groups
            from user_places x
            left join groups g on g.organisation = x.organisation and g.id = x."group"
            where x.organisation = u.organisation and x."user" = u.id
            group by x.location
          ) p
          join locations l on l.organisation = u.organisation and l.id = p.location
        ) as locations
      from users u
      where u.organisation = ${org} and u.id = ${user}::uuid
    `.execute(trx);
    const [who] = rows;
    if (!who) throw new Refusal('notFound');
    const given = await sql<{ screen: number; level: Level; role: string; group: string | null }>`
      select g.screen, g.level, r.name as role, p.name as "group"
      from user_grants g
      join roles r on r.organisation = g.organisation and r.id = g.role
      left join groups p on p.organisation = g.organisation and p.id = g."group"
      where g.organisation = ${org} and g."user" = ${user}::uuid
      order by g.level desc, r.name, p.name nulls first
    `.execute(trx);
    const grants = grantsOf(given.rows);
    const parent = screenCalled(screen.parent) ?? screen;
    return {
      user: { name: who.name, email: who.email, state: !who.active ? 'inactive' : who.accepted ? 'active' : 'invited' },
      screen: {
        name,
        label: screen.label,
        parent: screen.parent,
        parentLabel: parent.label,
        needs: screen.level,
        always: screen.always,
        built: screen.show.view !== 'later',
        opens: mayOpen(Object.fromEntries(grants), screen),
      },
      level: shownLevel(grants.get(screen.parent) ?? 0),
      ways: given.rows
        .filter((row) => row.screen === parent.id)
        .map(({ role, group, level }) => ({ role, group, level })),
      calls: callsOn(screen.parent, grants),
      locations: who.locations ?? [],
      limits: limitsOf(who, name, screen, context),
    };
  });

/** What blocks the access besides levels. */
function limitsOf(
  who: { readonly active: boolean; readonly accepted: boolean; readonly locked: string | null },
  at: string,
  screen: Screen,
  { settings, lapsed = [] }: Context,
): string[] {
  const name = moduleOfScreen(at) ?? moduleOfScreen(screen.parent);
  const module = name && moduleOf(name);
  return [
    ...(who.active ? [] : ['The user is inactive: they cannot sign in, and what they had open has ended']),
    ...(who.active && !who.accepted ? ['The invitation is not taken up: they cannot sign in yet'] : []),
    ...(module && !module.switches.some((key) => settings[key] === true)
      ? [`The module ${module.name} is switched off in the general configuration`]
      : []),
    ...(name && lapsed.includes(name)
      ? [`The subscription to the module ${moduleOf(name).name} has ended: what it holds is read and no longer written`]
      : []),
    ...('kind' in screen.show && who.locked !== null
      ? [`The books are locked up to ${dayInWords(who.locked)}: nothing is posted or cancelled with a date up to then`]
      : []),
  ];
}
