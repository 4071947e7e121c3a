/** What a file is, by its first bytes: its name alone proves nothing. `undefined`: it is not taken. */
export function typeOf(bytes: Buffer, name: string): string | undefined {
  const starts = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString('latin1') === text;
  const ends = (end: string) => name.toLowerCase().endsWith(end);
  if (starts('%PDF-')) return 'application/pdf';
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('PK\x03\x04')) return ends('.xlsx') ? sheet : ends('.docx') ? letter : undefined;
  if (!ends('.csv') && !ends('.txt')) return undefined;
  return isText(bytes) ? (ends('.csv') ? 'text/csv' : 'text/plain') : undefined;
}
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const letter = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** UTF-8 without control characters but tabs and line breaks. */
function isText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return ![...text].some((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code < 32 && code !== 9 && code !== 10 && code !== 13;
    });
  } catch {
    return false;
  }
}
