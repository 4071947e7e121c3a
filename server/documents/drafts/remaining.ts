import { sql } from 'kysely';
import { type Millionths, millionths } from '../../../domain/base/decimal.ts';
import type { DraftLine, Id } from '../../../domain/document/document.ts';
import { type Kind, type KindName, kindCalled, kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import { sourceKey } from '../../../domain/document/resolve.ts';
import { isSomethingLeft, takesValue } from '../../../domain/document/sources.ts';
import type { Context } from '../../context.ts';
import type { LoadedSource } from '../posting/load.ts';
import { sourcesFor } from '../posting/sources/source-lines.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** What became of the lines of a posted document, by their numbers. */
export interface Used {
  readonly kind: string;
  readonly sources: readonly LoadedSource[] | null;
  readonly closed: readonly number[] /** What of an order's lines is carried out. */;
  readonly carried: Readonly<Record<number, number>> | null;
}

/** Kinds that others carry out. */
const carriedKinds = kindNames.filter((name) => kindOf(name).life.cycle !== 'posted');

/** The columns of `Used` beside the kind, of documents `d`. */
export const usedColumns = (organisation: number) => sql`
  source_lines(${organisation}, array[d.id]) as sources,
  (
    select coalesce(array_agg(g.line), '{}')
    from closed_lines g
    where g.organisation = d.organisation and g.document = d.id
  ) as closed,
  case
    when d.kind = any(${carriedKinds})
      then (select jsonb_object_agg(t.line, t.taken) from carried_lines(d.organisation, d.id) t)
    else '{}'
  end as carried
`;

/** How much of a line has not come back. */
const kept = ({ sources }: Used, line: number): number => {
  const source = sources?.find((s) => s.line === line);
  return (source?.used ?? []).reduce(
    (rest, { kind, quantity }) => (kindCalled(kind)?.source.givesPrice ? rest - quantity : rest),
    source?.quantity ?? 0,
  );
};

/** A line, and how much of what was paid for and of what was free is left of it, in millionths. */
interface LeftLine {
  readonly line: DraftLine;
  readonly number: number;
  readonly quantity: Millionths;
  readonly free: Millionths;
}

/**
 * The lines of a posted document of which something is left for a document of this kind, with how much: in millionths,
 * numbered from one.
 */
export function leftLines(row: Kind, id: Id, source: Used, lines: readonly DraftLine[]): LeftLine[] {
  const left = sourcesFor(row, { sources: source.sources ?? [] });
  const isCarried = kindCalled(source.kind)?.life.cycle !== 'posted';
  return lines.flatMap((line, index) => {
    const number = index + 1;
    const waited = isCarried ? (line.quantity ?? 0) - (source.carried?.[number] ?? 0) : Number.POSITIVE_INFINITY;
    const from = left.get(sourceKey({ document: id, line: number }));
    const open = from && isSomethingLeft(row, from) ? from.leftQuantity : 0;
    const isCut = from !== undefined && takesValue(row, from);
    // a price is cut of what was kept, as often as there is value left
    const quantity = Math.min(open, waited, isCut ? kept(source, number) : Number.POSITIVE_INFINITY);
    if (quantity <= 0 || source.closed.includes(number)) return [];
    const free = isCut ? 0 : Math.max(0, from?.leftFree ?? 0);
    return [{ line, number, quantity: millionths(quantity), free: millionths(free) }];
  });
}

/** Of an order to take goods back: how much of which line of what sold them is still asked for, and the document that did. */
export function remainingToReturn(
  { closed, carried }: Pick<Used, 'closed' | 'carried'>,
  lines: readonly DraftLine[],
): { readonly sold: Id | undefined; readonly wanted: ReadonlyMap<string, number> } {
  const wanted = new Map(
    lines.flatMap((l, index) =>
      l.source && !closed.includes(index + 1)
        ? [[sourceKey(l.source), (l.quantity ?? 0) - (carried?.[index + 1] ?? 0)] as const]
        : [],
    ),
  );
  return { sold: lines.find((l) => l.source)?.source?.document, wanted };
}

/** Goods come back from the document that sold them, whatever order asks for it. */
export const isReturnOrdered = (row: Kind, source: string): boolean =>
  row.source.givesPrice === true && kindCalled(source)?.life.cycle === 'ordered';

/**
 * Those of these kinds that a posted document can still be continued as by its quantities: what is made of its lines
 * has some of them left.
 */
export async function kindsLeft(
  trx: Trx,
  organisation: number,
  names: readonly KindName[],
  { id, lines }: { readonly id: Id; readonly lines: readonly DraftLine[] },
): Promise<readonly KindName[]> {
  const byLine = names.filter((name) => kindOf(name).lines.of !== 'none');
  if (byLine.length === 0) return names;
  const usedOf = async (document: Id) =>
    (
      await sql<Used & { readonly lines: readonly DraftLine[] }>`
        select d.kind, d.body #> '{draft,lines}' as lines, ${usedColumns(organisation)}
        from documents d
        where d.organisation = ${organisation} and d.id = ${document}::uuid
      `.execute(trx)
    ).rows[0];
  const source = await usedOf(id);
  if (!source) return [];
  const { sold: from, wanted } = remainingToReturn(source, lines);
  const sold =
    from !== undefined && byLine.some((name) => isReturnOrdered(kindOf(name), source.kind))
      ? await usedOf(from)
      : undefined;
  const isLeft = (row: Kind) =>
    isReturnOrdered(row, source.kind)
      ? from !== undefined &&
        sold !== undefined &&
        leftLines(row, from, sold, sold.lines).some(
          ({ number }) => (wanted.get(sourceKey({ document: from, line: number })) ?? 0) > 0,
        )
      : leftLines(row, id, source, lines).length > 0;
  return names.filter((name) => !byLine.includes(name) || isLeft(kindOf(name)));
}
