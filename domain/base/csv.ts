/**
 * A cell of a file of comma-separated values, quoted where needed. One that begins like a formula would run in the reader's
 * spreadsheet: an apostrophe in front keeps it text. Numbers of a column of numbers stay numbers.
 */
export function csvCell(text: string, inNumbers = false): string {
  const isFormula = /^[\s"';]*[=+@＝＋－＠-]|^[\t\r\n]/.test(text) && !(inNumbers && /^-?[\d.,]+$/.test(text));
  const safe = isFormula ? `'${text}` : text;
  return /[",;\t\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
