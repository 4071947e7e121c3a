import { TextDecoder } from 'node:util';

/** A mail as it is shown: its headers, its text and what is attached. */
export interface Message {
  header(name: string): string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

type Headers = ReadonlyMap<string, string>;
interface Part {
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Reads a mail of RFC 5322 with its MIME parts. What is broken is shown as it is; nothing here throws. */
export function readMessage(raw: Buffer): Message {
  const whole = partOf(raw);
  const leaves = leavesOf(whole, 0);
  const text = leaves.find((part) => typeOf(part) === 'text/plain' && !nameOf(part));
  return {
    header: (name) => words(whole.headers.get(name.toLowerCase()) ?? '').trim(),
    text: text ? decoder(parameter(text, 'content-type', 'charset')).decode(contentOf(text)) : '',
    attachments: leaves
      .filter((part) => part !== text)
      .map((part, i) => ({ name: nameOf(part) || `part-${i + 1}`, type: typeOf(part), bytes: contentOf(part) })),
  };
}

/** Headers end at the first empty line; a line that begins with a space continues the one before. */
function partOf(raw: Buffer): Part {
  const found = /\r?\n\r?\n/.exec(raw.toString('latin1'));
  const end = found?.index ?? raw.length;
  const lines = raw
    .subarray(0, end)
    .toString('utf8')
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(':');
    if (at > 0) headers.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return { headers, body: raw.subarray(end + (found?.[0].length ?? 0)) };
}

/** Parts within parts, at most ten deep. */
function leavesOf(part: Part, depth: number): readonly Part[] {
  const boundary = typeOf(part).startsWith('multipart/') ? parameter(part, 'content-type', 'boundary') : '';
  if (!boundary || depth > 10) return [part];
  const mark = boundary.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const line = new RegExp(`(?:^|\\r?\\n)--${mark}(?=--|[ \\t]*(?:\\r?\\n|$))`);
  return part.body
    .toString('latin1')
    .split(line)
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .flatMap((piece) => {
      const bytes = Buffer.from(piece.replace(/^[ \t]*\r?\n/, ''), 'latin1');
      return leavesOf(partOf(bytes), depth + 1);
    });
}

const typeOf = ({ headers }: Part): string =>
  (headers.get('content-type') ?? 'text/plain').split(';')[0]?.trim().toLowerCase() ?? '';

function parameter({ headers }: Part, header: string, name: string): string {
  const value = headers.get(header) ?? '';
  const [, quoted, bare] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(value) ?? [];
  return quoted ?? bare ?? '';
}

const nameOf = (part: Part): string =>
  words(parameter(part, 'content-disposition', 'filename') || parameter(part, 'content-type', 'name'));

function contentOf({ headers, body }: Part): Buffer {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? unquoted(body.toString('latin1')) : body;
}

const unquoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=[ \t]*\r?\n/g, '')
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Encoded words of RFC 2047; the space between two of them is not part of the text. */
const words = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, (_, charset: string, how: string, content: string) =>
      decoder(charset).decode(
        how.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : unquoted(content.replaceAll('_', ' ')),
      ),
    );

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset || 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
