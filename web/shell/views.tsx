import type { ComponentType } from 'react';
import type { Screen, View } from '../../contract/screens.ts';
import { type Fetched, fetched } from '../kit/server/fetched.tsx';
import { Later } from './Later.tsx';

/** What a view gets: its row of the registry, and what the row says to show. */
export type ViewProps<V extends View['view'] = View['view']> = { readonly screen: Screen } & Extract<View, { view: V }>;

/**
 * View to file: `documentList` is web/views/DocumentList.tsx exporting `DocumentList`. An own screen called `home` is
 * Home.tsx in any of the folders below, exporting `Home`.
 */
const files = import.meta.glob<Readonly<Record<string, ComponentType<never>>>>([
  '../views/*.tsx',
  '../home/*.tsx',
  '../einvoice/*.tsx',
  '../eway/*.tsx',
  '../items/*.tsx',
  '../counting/Count{Sheet,Sheets}.tsx',
  '../reports/*.tsx',
  '../settings/*.tsx',
  '../till/Till.tsx',
  '../accounts/*.tsx',
  '../banking/BankReconciliation.tsx',
  '../closing/YearEnd.tsx',
  '../exchange/{ExchangeRates,Restatement}.tsx',
  '../imports/{ImportHome,ImportWizard,Imports,ImportedFiles}.tsx',
  '../recurring/*.tsx',
  '../withheld/TaxWithheld.tsx',
  '../workflow/Workflow.tsx',
  '../workflow/Workflows.tsx',
  '!../**/*.test.tsx',
]);

interface ShownProps {
  readonly screen: Screen;
}
type Shown = ComponentType<ShownProps>;
const known = new Map<string, Fetched<ShownProps> | Shown>();

/** The component that draws a screen; its code is fetched when it is first needed, or a little `ahead`. */
export const componentOf = (show: View): Fetched<ShownProps> | Shown => {
  const word = show.view === 'own' ? show.name : show.view;
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  const cached = known.get(name);
  if (cached) return cached;
  const load = Object.entries(files).find(([path]) => path.endsWith(`/${name}.tsx`))?.[1];
  const made = show.view === 'later' || !load ? Later : fetched(async () => pick(await load(), name));
  known.set(name, made);
  return made;
};

/** Begins to fetch what draws a screen, so that it comes beside what else the screen waits for. */
export const fetchAhead = (show: View): void => {
  const component = componentOf(show);
  if ('ahead' in component) component.ahead();
};

const pick = (module: Readonly<Record<string, ComponentType<never>>>, name: string): Shown => {
  const found = module[name];
  if (!found) throw new Error(`${name}.tsx does not export ${name}`);
  return found as unknown as Shown;
};
