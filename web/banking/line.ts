import type { z } from 'zod';
import type { bankingCalls } from '../../contract/banking.ts';
import { type WayName, ways } from '../../domain/banking/bank-matching.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import type { Reasoned } from '../kit/dialog/useReasons.tsx';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { type Saying, t } from '../kit/text.ts';

export type Standing = z.output<typeof bankingCalls.GetReconciliation.details>;
export type Line = Standing['lines'][number];
export type Entry = Standing['entries'][number];
export type Rule = z.output<typeof bankingCalls.ListBankRules.details>[number];

type PostedLine = z.input<typeof bankingCalls.PostBankLine.input>;

/** The title of a column of amounts. */
export const unitOf = (currency: string): string => (currency === 'INR' ? '₹' : currency);

export interface Place {
  readonly registration: string;
  readonly location: string;
}

/**
 * Takes what is proposed for lines: matches together, and one document for each that settles something or that a rule
 * stands for. What needs approval is kept as a draft.
 */
export async function accept(
  ledger: string,
  lines: readonly Line[],
  rules: readonly Rule[],
  place: Place,
  reasoned: Reasoned,
): Promise<{
  readonly matched: number;
  readonly made: readonly string[];
  readonly kept: number;
  readonly warnings: readonly Saying[];
}> {
  const matches = lines.flatMap(({ id, suggestion }) =>
    suggestion ? [{ line: id, entries: [{ document: suggestion.document, leg: suggestion.leg }] }] : [],
  );
  if (matches.length > 0) await api.MatchBankLines({ ledger, matches });
  const made: (string | null)[] = [];
  const allWarnings: Saying[] = [];
  const post = async (asked: PostedLine) => {
    const key = newKey();
    const { number, warnings } = await reasoned((given) => api.PostBankLine({ ...asked, ...given }, key));
    made.push(number);
    allWarnings.push(...warnings);
  };
  for (const line of lines) {
    if (line.settles && !line.suggestion) {
      const { way, party, dues } = line.settles;
      const allocations = dues.map(({ document, line: at, amount }) => ({ document, line: at, amount }));
      await post({ ledger, line: line.id, way: way as WayName, party, allocations, ...place });
      continue;
    }
    const rule = rules.find(({ id }) => id === line.rule?.id);
    if (line.suggestion || !rule) continue;
    const { way, party, counter, narration } = rule;
    const other = { ...(party && { party }), ...(counter && { counter }) };
    await post({ ledger, line: line.id, way, ...other, narration, ...place });
  }
  const numbers = made.filter((number) => number !== null);
  return { matched: matches.length, made: numbers, kept: made.length - numbers.length, warnings: allWarnings };
}

export const isProposed = (line: Line): boolean =>
  line.suggestion !== null || line.rule !== null || line.settles !== null;

const why = { number: '', party: ', by its name', amount: ', by its amount' } as const;

/** What somebody has made of a line that is not in the books yet, in words. */
export const keptOf = ({ kind, by, waits }: NonNullable<Line['draft']>): string =>
  waits
    ? t('{{kind}} of {{by}} waits for approval', { kind: t(kindLabel(kind)), by })
    : t('{{kind}} is a draft of {{by}}', { kind: t(kindLabel(kind)), by });

/** What is proposed for a line, in words. */
export const proposalOf = ({ suggestion, rule, settles, draft }: Line): string => {
  if (draft) return keptOf(draft);
  if (suggestion)
    return suggestion.by === 'reference'
      ? suggestion.number
      : t('{{number}} (by its amount)', { number: suggestion.number });
  if (settles) return `${settles.name}: ${settles.dues.map(({ number }) => number).join(', ')}${why[settles.by]}`;
  return rule ? `${ways[rule.way as WayName].label}: ${rule.other}` : '';
};
