import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Context } from '../context.ts';
import { typeOf } from './types.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** A file is at most so large; together with its writing as text it fits a request. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_FILES = 50;

const refused = (reason: Said) => new Refusal('fileRefused', { reason });

interface ReadFile {
  readonly bytes: Buffer;
  readonly type: string;
}

/** What was sent as base64, with the type that its first bytes say. Refuses what is empty, too large, or of another type. */
export function readFile(name: string, content: string): ReadFile {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length === 0) throw refused(say('it is empty'));
  if (bytes.length > MOST_BYTES) throw refused(say('it is larger than 8 MB'));
  const type = typeOf(bytes, name);
  if (type === undefined) throw refused(say('PDF, PNG, JPEG, WebP, XLSX, DOCX, CSV and plain text are taken'));
  return { bytes, type };
}

/** Refuses one more file than a document or a record may have. */
export function allowOneMore(files: number): void {
  if (files >= MOST_FILES) throw refused(say('{{count}} files lie here already', { count: MOST_FILES }));
}

/** Keeps the bytes, once however often they are attached, and answers their digest. */
export async function keepBytes(
  trx: Trx,
  { organisation }: Context,
  { name, bytes, type }: ReadFile & { readonly name: string },
): Promise<string> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  await sql`
    insert into files (organisation, digest, bytes, type, name)
    values (${organisation}, ${digest}, ${bytes}, ${type}, ${name})
    on conflict do nothing
  `.execute(trx);
  return digest;
}
