// biome-ignore-all format: a table
import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { screenCalled, screenNames, screens } from '../../contract/screens.ts';
import type { lookupCalls } from '../../contract/session.ts';
import type { Context } from '../context.ts';

/** Questions and answers by the group of a screen; a screen without its own shows its group's. */
const help: Readonly<Record<string, readonly (readonly [question: string, answer: string])[]>> = {
  Home: [['Where do I begin?', 'Create your parties, then your items, then record an invoice. The cards below show what was sold, ordered and kept in the chosen period.'], ['Which period is a year?', 'The financial year, from April to March.']],
  Sales: [['Can I enter an invoice without the mouse?', 'Yes. Enter goes to the next field, on the last cell of a line it adds a line. Ctrl S keeps the draft, Ctrl Enter posts it.'], ['When does an invoice get its number?', 'When it is posted. Drafts have none, so no number is ever lost.'], ['How do I correct a posted invoice?', 'Posted documents do not change. Cancel it and copy it, or issue a credit or debit note.'], ['Why are there two taxes, or one?', 'Within a state CGST and SGST, each from half the rate; between states IGST. The place of supply decides.']],
  Purchases: [['What is the reference of a bill?', "The number on the supplier's invoice."], ['What does reverse charge do?', 'The supplier charges no tax; you owe it to the government and may claim it as credit.'], ['What happens to tax I cannot claim?', 'Mark the line as blocked: the tax becomes part of the cost.']],
  Expenses: [['Do I need a supplier?', 'No. Choose from where it was paid, or a supplier when you pay later.']],
  Inventory: [['Can stock become negative?', 'Only when General configuration allows it. Otherwise a movement is refused if stock would be short on any day, also later ones.'], ['How is stock valued?', 'By moving average or first in first out, as chosen before the first movement.']],
  Accounts: [['Where do the entries of an invoice go?', 'To the ledgers set under Ledger postings. Every document shows its own entries.'], ['What is the opening balance difference?', 'What your opening balances lack to balance. It must be nothing before the first year is closed.']],
  Reports: [['Can I get from a figure to its documents?', 'Yes: choose a row. A ledger leads to its entries, an entry to its document.'], ['Can I take a report with me?', 'Every report can be exported as XLSX, CSV or PDF.']],
  GST: [['What is in GSTR-1?', 'All outward supplies of the period, table by table. Cancelled documents are only counted.']],
  Parties: [['Do I type state and PAN?', 'With a GSTIN both follow from it.'], ['Why was my GSTIN refused?', 'Its last character is a check digit; most often two characters are swapped.']],
  Items: [['Which HSN do I enter?', 'Four digits up to five crore turnover, six above, eight for exports.']],
  Organisation: [['Who may grant rights?', 'Whoever has level 5003 on Manage Role; nobody above his own level.']],
  Configuration: [['Why can a switch not be changed?', 'Because documents exist that depend on it; the reason stands beside it.']],
};

type Questions = { question: string; answer: string }[];
/** A screen by its number or its name. */
const screenAt = (asked = 'Home') => {
  const name = screenNames.find((known) => String(screens[known].id) === asked);
  return screenCalled(name ?? asked);
};

/** What is asked about a screen: of the organisation, else of the installation, else of the product. */
export const helpHandlers: Handlers<Pick<typeof lookupCalls, 'GetHelpContent' | 'SaveHelpContent' | 'SaveDefaultHelp'>, Context> = {
  GetHelpContent: ({ screenId }, context) => context.inTransaction(async (trx) => {
    const screen = screenAt(screenId);
    const { rows } = await sql<{ content: Questions }>`select coalesce((select content from help_texts where organisation = ${context.organisation} and screen = ${screen?.id ?? 0}), (select content from help_defaults where screen = ${screen?.id ?? 0})) as content`.execute(trx);
    return rows[0]?.content ?? (help[screen?.group ?? 'Home'] ?? help.Home ?? []).map(([question, answer]) => ({ question, answer }));
  }),
  SaveHelpContent: async ({ screenId, content }, context) => {
    const screen = screenAt(screenId);
    if (!screen) throw new Refusal('notFound');
    await context.inTransaction((trx) => (content.length === 0
      ? sql`delete from help_texts where organisation = ${context.organisation} and screen = ${screen.id}`
      : sql`insert into help_texts (organisation, screen, content) values (${context.organisation}, ${screen.id}, ${JSON.stringify(content)}::jsonb) on conflict (organisation, screen) do update set content = excluded.content, changed_at = now()`).execute(trx));
    return helpHandlers.GetHelpContent({ screenId }, context);
  },
  SaveDefaultHelp: async ({ screenId, content }, context) => {
    const screen = screenAt(screenId);
    if (!screen) throw new Refusal('notFound');
    if (content.length === 0) await context.books.pool.query('delete from help_defaults where screen = $1', [screen.id]);
    else await context.books.pool.query('insert into help_defaults (screen, content) values ($1, $2::jsonb) on conflict (screen) do update set content = excluded.content', [screen.id, JSON.stringify(content)]);
    return helpHandlers.GetHelpContent({ screenId }, context);
  },
};
