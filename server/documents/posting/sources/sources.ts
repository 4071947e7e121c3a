import { sql } from 'kysely';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { type Kind, type KindName, kindOf } from '../../../../domain/document/kinds/index.ts';
import type { Facts } from '../../../../domain/document/resolve.ts';
import type { SourceDocument } from '../../../../domain/document/sources.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import { nameable, type Seer } from '../../read/may-read.ts';
import { signOfTaken } from '../kinds.ts';
import { type LoadedDocument, type LoadedSource, sourcesOf } from '../load.ts';
import { sourcesFor } from './source-lines.ts';

/** The documents that a draft names, and those of their lines that its lines come from, as far as its user may see them. */
export type Sources = Pick<Facts, 'sources'> & Required<Pick<Facts, 'documents'>>;

/** The sources of a draft, read without locks. */
export async function readSources(run: Executor, context: Seer, kind: KindName, draft: Draft): Promise<Sources> {
  const ids = sourcesOf({ kind, draft });
  if (ids.length === 0) return { sources: new Map(), documents: new Map() };
  const { rows } = await sql<{ sources: LoadedSource[]; documents: LoadedDocument[] }>`
    select
      source_lines(${context.organisation}, ${ids}::uuid[]) as sources,
      source_documents(${context.organisation}, ${ids}::uuid[]) as documents
  `.execute(run);
  return sourcesSeen(kindOf(kind), rows[0]?.sources ?? [], rows[0]?.documents ?? [], nameable(context));
}

/** Those of the sources that the user may see. */
export function sourcesSeen(
  kind: Kind,
  lines: readonly LoadedSource[],
  documents: readonly LoadedDocument[],
  sees: (document: LoadedDocument) => boolean,
): Sources {
  const seen = documentsFor(documents, sees);
  return {
    documents: seen,
    sources: sourcesFor(kind, { sources: lines.filter((line) => seen.has(line.document)) }),
  };
}

/** Those of the documents that exist and that the user may name. A draft has to agree with them. */
export async function namedDocuments(
  run: Executor,
  context: Seer,
  ids: readonly Id[],
): Promise<readonly SourceDocument[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{
    documents: LoadedDocument[];
  }>`select source_documents(${context.organisation}, ${[...ids]}::uuid[]) as documents`.execute(run);
  return [...documentsFor(rows[0]?.documents ?? [], nameable(context)).values()];
}

/** The documents that a user may see, by id, with what is left of their rounding, adjustments and TCS. */
export const documentsFor = (
  documents: readonly LoadedDocument[],
  sees: (document: LoadedDocument) => boolean,
): Map<Id, SourceDocument> => new Map(documents.filter(sees).map((document) => [document.id, withLeft(document)]));

const withLeft = (document: LoadedDocument): SourceDocument => ({
  ...document,
  leftRoundOff: paise(document.roundOff - netGiven(document, ({ roundOff }) => roundOff)),
  // only what a return gives counts: where it keeps something back (a restocking fee), the amount is below zero
  leftAdjustments: paise(Math.max(document.adjusted - netGiven(document, ({ adjusted }) => Math.max(adjusted, 0)), 0)),
  leftTcs: paise(Math.max(document.tcs - document.tcsBack, 0)),
});

type Given = LoadedDocument['rounded'][number];

/** What was given back of an amount of a document, less what price rises added to it. */
const netGiven = ({ rounded }: LoadedDocument, of: (given: Given) => number): number =>
  rounded.reduce((sum, given) => sum + signOfTaken(given.kind) * of(given), 0);
