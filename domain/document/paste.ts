/**
 * Rows and cells of what a spreadsheet puts on the clipboard, or of a file with another separator: tabs between cells,
 * line ends between rows; a cell that holds either, or a quote at its start, stands in quotes with its own quotes
 * doubled. The empty row at the end is dropped.
 */
export const pastedRows = (text: string, separator = '\t'): string[][] => [...eachRow(text, separator)];

/** The same, a row at a time: who reads a long file need not hold all of it, nor read it in one go. */
export function* eachRow(text: string, separator: string): Generator<string[]> {
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? quoted(text, at, separator) : bare(text, at, separator);
    row.push(cell);
    at = end;
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) row.push('');
      else continue;
    }
    yield row;
    row = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  if (row.length > 0) yield row;
}

const bare = (text: string, from: number, separator: string): [string, number] => {
  let end = from;
  for (const stop = separator.charCodeAt(0); end < text.length; end += 1) {
    const sign = text.charCodeAt(end);
    if (sign === stop || sign === 10 || sign === 13) break;
  }
  return [text.slice(from, end), end];
};

/** A quoted cell; one whose quote never ends, or goes on after it, was no quoted cell but text with quotes. */
const quoted = (text: string, from: number, separator: string): [string, number] => {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') at += 1;
    else if (at + 1 === text.length || `${separator}\r\n`.includes(text.charAt(at + 1)))
      return [text.slice(from + 1, at).replaceAll('""', '"'), at + 1];
    else return bare(text, from, separator);
  }
  return bare(text, from, separator);
};
