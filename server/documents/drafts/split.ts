import { sql } from 'kysely';
import type { Handlers } from '../../../contract/contract.ts';
import { draftBody } from '../../../contract/documents.ts';
import { type partCalls, partyFields, summaryFields, summaryFigures } from '../../../contract/parts.ts';
import { rupeesText } from '../../../domain/base/decimal.ts';
import { say } from '../../../domain/base/say.ts';
import type { Draft, Id, Priced, Problem } from '../../../domain/document/document.ts';
import { headFields } from '../../../domain/document/fields.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { price } from '../../../domain/document/price.ts';
import { resolve } from '../../../domain/document/resolve.ts';
import { textOf } from '../../../domain/document/values.ts';
import type { Context } from '../../context.ts';
import { readInput } from '../../kit/input.ts';
import { Problems } from '../../kit/problems.ts';
import { factsOf } from '../posting/facts/draft-facts.ts';
import { kindAsked } from '../posting/kinds.ts';
import { lineText, pricedText } from '../read/wire.ts';
import { refuseSubmitted, whyNot } from './drafts.ts';

type PartCall = 'AddtransactionItemDetails' | 'AddInvoicePartyMappingDetails' | 'AddInvoiceSummaryDetails';
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Body = Readonly<Record<string, unknown>>;

interface Which {
  readonly TransactionId: Id;
  readonly version: number;
}

/** The calls that complete a draft part by part. Each answers the version that the next one asks for. */
export const splitHandlers: Pick<Handlers<typeof partCalls, Context>, PartCall> = {
  AddtransactionItemDetails: (input, context) =>
    context.inTransaction(async (trx) => {
      const { body } = await locked(trx, context, input);
      return keep(trx, context, input, put(body, ['lines'], { lines: input.lines.map(lineText) }));
    }),

  AddInvoicePartyMappingDetails: (input, context) =>
    context.inTransaction(async (trx) => {
      const { body } = await locked(trx, context, input);
      return keep(trx, context, input, put(body, partyFields, input));
    }),

  AddInvoiceSummaryDetails: ({ figures, ...input }, context) =>
    context.inTransaction(async (trx) => {
      const { kind, body } = await locked(trx, context, input);
      const whole = put(body, summaryFields, textOf<Partial<Draft>>(headFields, input));
      const priced = await pricedNow(trx, context, kind, whole, Object.keys(figures).length > 0);
      const problems = priced ? differences(figures, priced) : [];
      if (problems.length > 0) throw new Problems(problems);
      return { ...(await keep(trx, context, input, whole)), priced: priced ? pricedText(priced) : null };
    }),
};

/** The body with these fields as they are given now; what is not given is emptied. */
const put = (body: Body, fields: readonly string[], given: Body): Body => ({
  ...Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name))),
  ...Object.fromEntries(Object.entries(given).filter(([name, value]) => fields.includes(name) && value !== undefined)),
});

/** The user's own draft in the version that they have seen, locked until the end of the transaction. */
async function locked(
  trx: Trx,
  context: Context,
  { TransactionId, version }: Which,
): Promise<{ readonly kind: string; readonly body: Body }> {
  const { rows } = await sql<{
    kind: string;
    author: Id;
    body: Body;
    version: number;
  }>`
    select kind, author, body, version
    from drafts
    where organisation = ${context.organisation} and id = ${TransactionId}
    for update
  `.execute(trx);
  const [draft] = rows;
  if (draft) context.still('draft', { kind: draft.kind, author: draft.author, draft: 'kept' });
  if (!draft || draft.version !== version) throw await whyNot(trx, context, TransactionId);
  await refuseSubmitted(trx, context, [TransactionId]);
  return draft;
}

async function keep(trx: Trx, { organisation }: Context, { TransactionId }: Which, body: Body): Promise<Which> {
  const { rows } = await sql<{ version: number }>`
    update drafts
    set body = ${JSON.stringify(body)}, version = version + 1, updated_at = now()
    where organisation = ${organisation} and id = ${TransactionId}
    returning version
  `.execute(trx);
  return { TransactionId, version: rows[0]?.version ?? 0 };
}

/**
 * What the draft adds up to by now. One whose head is not complete adds up to nothing yet: that is a problem only
 * where figures are to be compared.
 */
async function pricedNow(
  trx: Trx,
  context: Context,
  kind: string,
  body: Body,
  needed: boolean,
): Promise<Priced | undefined> {
  const read = readInput(draftBody, { lines: [], ...body, kind });
  if ('problems' in read) {
    if (!needed) return undefined;
    throw new Problems(read.problems);
  }
  const draft = read.data;
  return price(resolve(kindOf(kindAsked(kind)), draft, await factsOf(trx, context, draft)));
}

type Figure = keyof typeof summaryFigures.shape;
const figureNames = Object.keys(summaryFigures.shape) as readonly Figure[];

const differences = (figures: { readonly [F in Figure]?: number | undefined }, priced: Priced): Problem[] =>
  figureNames.flatMap((name) =>
    figures[name] === undefined || figures[name] === priced[name]
      ? []
      : [{ field: `figures.${name}`, ...say('The books make it {{priced}}', { priced: rupeesText(priced[name]) }) }],
  );
