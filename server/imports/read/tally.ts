import sax from 'sax';
import { codeFrom } from '../../../domain/base/code.ts';
import { say } from '../../../domain/base/say.ts';
import { columnsOf, type SheetFields } from '../../../domain/imports/sheet.ts';
import { companyOf, hasValue, keptTypes } from '../../../domain/imports/tally/company.ts';
import type { TallyFields, TallyObject } from '../../../domain/imports/tally/object.ts';
import { tallyOrder } from '../../../domain/imports/tally/order.ts';
import { tallySheet } from '../../../domain/imports/tally/sheets.ts';
import { BrokenFile, type FileRow } from './broken.ts';

/** What the rows of a file are of, for files that hold more than one sort of record. */
export interface Wanted {
  readonly name: string;
  readonly plural: string;
  readonly fields: SheetFields;
}

/** The text of a file from its beginning, as often as it is read. */
export type Texts = () => AsyncIterable<string>;

/** Letters that one master may have. */
const LONGEST_OBJECT = 4_000_000;
const damaged = () => new BrokenFile(say('This Tally file is damaged or not complete: export it again'));

/** Masters of a Tally file that an import may be of, or that decide on others. Vouchers are passed over. */
const types: ReadonlySet<string> = new Set([
  ...keptTypes,
  ...tallyOrder.flatMap((name) => tallySheet(name)?.types ?? []),
]);

/** XML 1.0 has no such characters; Tally writes them as references, `&#4;`, and raw. */
const isLawful = (code: number): boolean =>
  code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0x10ffff);
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that Tally writes into its files
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
const cleaned = (text: string): string =>
  text
    .replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (reference, hexadecimal?: string, decimal?: string) =>
      isLawful(hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)) ? reference : '',
    )
    .replace(controls, '');

/** The text without what XML forbids; a reference that is cut between two pieces is kept together. */
async function* lawful(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const all = rest + text;
    const cut = all.lastIndexOf('&');
    const isOpen = cut >= 0 && all.length - cut < 12 && !all.includes(';', cut);
    rest = isOpen ? all.slice(cut) : '';
    yield cleaned(isOpen ? all.slice(0, cut) : all);
  }
  yield cleaned(rest);
}

interface Open {
  readonly name: string;
  readonly fields: Record<string, (string | TallyFields)[]>;
  text: string;
  hasInner: boolean;
}

/** Builds the masters of a file from its elements. Of a voucher nothing is kept. */
class Masters {
  readonly found: TallyObject[] = [];
  isTooLong = false;
  /** The elements that are open, from the master on. */
  private readonly path: Open[] = [];
  private heading = { type: '', name: '', reserved: '' };
  private letters = 0;
  private depth = 0;
  /** The depth of the voucher that is passed over. */
  private passed = 0;

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.depth += 1;
    if (this.passed > 0) return;
    const name = tag.replace(/\.LIST$/i, '').toUpperCase();
    const above = this.path.at(-1);
    if (above) above.hasInner = true;
    else if (types.has(name)) {
      this.heading = { type: name, name: attributes['NAME'] ?? '', reserved: attributes['RESERVEDNAME'] ?? '' };
      this.letters = 0;
    } else {
      if (name === 'VOUCHER') this.passed = this.depth;
      return;
    }
    this.path.push({ name, fields: {}, text: '', hasInner: false });
  }

  write(text: string): void {
    const open = this.path.at(-1);
    if (!open) return;
    this.letters += text.length;
    this.isTooLong ||= this.letters > LONGEST_OBJECT;
    if (!this.isTooLong) open.text += text;
  }

  close(): void {
    if (this.passed === this.depth) this.passed = 0;
    this.depth -= 1;
    const closed = this.path.pop();
    if (!closed) return;
    const above = this.path.at(-1);
    const { fields, name } = closed;
    if (above) {
      const value = closed.hasInner ? fields : closed.text;
      const all = above.fields[name];
      if (all) all.push(value);
      else above.fields[name] = [value];
    } else this.found.push({ ...this.heading, name: nameOf(this.heading.name, fields), fields });
  }
}

/** The masters of a Tally file of XML, one after the other as they are read. */
async function* objectsIn(texts: Texts): AsyncGenerator<TallyObject> {
  const parser = sax.parser(true, { position: false });
  const masters = new Masters();
  let failed = false;
  parser.onerror = () => {
    failed = true;
  };
  // a document type could define entities that grow
  parser.ondoctype = () => {
    failed = true;
  };
  parser.onopentag = ({ name, attributes }) => masters.open(name, attributes as Readonly<Record<string, string>>);
  parser.ontext = (text) => masters.write(text);
  parser.oncdata = (text) => masters.write(text);
  parser.onclosetag = () => masters.close();
  for await (const text of lawful(texts())) {
    parser.write(text);
    if (failed || masters.isTooLong) throw damaged();
    yield* masters.found.splice(0);
  }
  parser.close();
  if (failed) throw damaged();
}

/** The name is an attribute, a field of its own, or the first of the names in the languages of the file. */
function nameOf(attribute: string, fields: TallyFields): string {
  if (attribute.trim() !== '') return attribute.trim();
  const first = (list: TallyFields | string | undefined): string =>
    typeof list === 'string' ? list.trim() : list ? first(list['NAME']?.[0]) : '';
  return first(fields['NAME']?.[0]) || first(fields['LANGUAGENAME']?.[0]);
}

/**
 * The rows of what is wanted of the masters of a Tally file: first the headings, as our own sheets have them. The file is read
 * twice, for a ledger may come before its group.
 * @throws BrokenFile where it is damaged, or has nothing of it
 */
export async function* readTally(texts: Texts, { name, plural, fields }: Wanted): AsyncGenerator<FileRow> {
  const sheet = tallySheet(name);
  if (!sheet)
    throw new BrokenFile(say('{{plural}} are not read from a Tally file: choose another sort of record', { plural }));
  const kept: TallyObject[] = [];
  let itemsHaveValues = false;
  for await (const object of objectsIn(texts)) {
    if (keptTypes.includes(object.type)) kept.push(object);
    itemsHaveValues ||= hasValue(object);
  }
  const company = companyOf(kept, itemsHaveValues, codeFrom);
  const byTarget = new Map(columnsOf(fields).map(({ target, heading }) => [target, heading]));
  let row = 1;
  yield { row, cells: sheet.columns.map((target) => byTarget.get(target) ?? target) };
  for await (const object of objectsIn(texts)) {
    if (!sheet.types.includes(object.type)) continue;
    for (const line of sheet.linesOf(object, company)) {
      row += 1;
      yield { row, cells: sheet.columns.map((target) => line[target] ?? '') };
    }
  }
  if (row === 1)
    throw new BrokenFile(
      say('There are no {{plural}} in this file: export the masters of the company, all of them, as XML', {
        plural: plural.toLowerCase(),
      }),
    );
}
