import { StringDecoder } from 'node:string_decoder';
import sax from 'sax';
import { MOST_CELLS } from '../../../contract/import-steps.ts';
import { say } from '../../../domain/base/say.ts';
import { BrokenFile, type FileRow } from './broken.ts';
import { type Archive, openArchive } from './zip.ts';

/** Letters that the different texts of a workbook may have together: they are in memory while it is read. */
const MOST_LETTERS = 40_000_000;
const damaged = () => new BrokenFile(say('This workbook is damaged: open it in a spreadsheet, save it and try again'));

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}
interface Listener {
  readonly open?: (tag: Tag) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** A name without the prefix of its namespace, which each writer chooses. */
const bare = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Reads a part of a workbook as it is unpacked; after each piece the caller may take what was heard. */
async function* heard(archive: Archive, name: string, { open, close, text }: Listener): AsyncGenerator<void> {
  const parser = sax.parser(true, { position: false });
  let failed = false;
  parser.onerror = () => {
    failed = true;
  };
  // a workbook has no document type: one that has could define entities that grow
  parser.ondoctype = () => {
    failed = true;
  };
  if (open) parser.onopentag = (tag) => open({ name: bare(tag.name), attributes: tag.attributes as Tag['attributes'] });
  if (close) parser.onclosetag = (tag) => close(bare(tag));
  if (text) {
    parser.ontext = text;
    parser.oncdata = text;
  }
  const decoder = new StringDecoder('utf8');
  for await (const part of archive.read(name)) {
    // a parser that has found an error throws at the next piece
    if (failed) throw damaged();
    parser.write(decoder.write(part));
    if (failed) throw damaged();
    yield;
  }
}

async function listen(archive: Archive, name: string, listener: Listener): Promise<void> {
  for await (const _ of heard(archive, name, listener));
}

/** The first sheet that is shown: its part of the archive, and whether its days are counted from 1904. */
async function firstSheet(archive: Archive): Promise<{ readonly part: string; readonly from1904: boolean }> {
  let from1904 = false;
  const sheets: { readonly link: string; readonly hidden: boolean }[] = [];
  await listen(archive, 'xl/workbook.xml', {
    open: ({ name, attributes }) => {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const link = Object.entries(attributes).find(([key]) => bare(key) === 'id' && key !== 'id')?.[1];
      sheets.push({ link: link ?? '', hidden: /hidden/i.test(attributes['state'] ?? '') });
    },
  });
  const { link } = sheets.find(({ hidden }) => !hidden) ?? sheets[0] ?? {};
  let target = '';
  await listen(archive, 'xl/_rels/workbook.xml.rels', {
    open: ({ attributes }) => {
      if (attributes['Id'] === link) target = attributes['Target'] ?? '';
    },
  });
  if (target === '') throw new BrokenFile(say('This workbook has no sheet'));
  return { part: target.startsWith('/') ? target.slice(1) : `xl/${target}`, from1904 };
}

/** Texts that cells name by their number. */
async function sharedTexts(archive: Archive): Promise<readonly string[]> {
  const texts: string[] = [];
  if (!archive.has('xl/sharedStrings.xml')) return texts;
  let own = '';
  let isText = false;
  let isReading = 0;
  let letters = 0;
  await listen(archive, 'xl/sharedStrings.xml', {
    open: ({ name }) => {
      if (name === 'si') own = '';
      // how a text is spoken is written beside it
      if (name === 'rPh') isReading += 1;
      isText = name === 't' && isReading === 0;
    },
    text: (text) => {
      if (isText) own += text;
    },
    close: (name) => {
      if (name === 'rPh') isReading -= 1;
      if (name === 't') isText = false;
      if (name !== 'si') return;
      texts.push(own);
      letters += own.length;
      if (letters > MOST_LETTERS)
        throw new BrokenFile(say('This workbook holds too much text: save the sheet as CSV and import that'));
    },
  });
  return texts;
}

type Style = 'plain' | 'day' | 'percent';
/** What a format of numbers shows, by its code, without what is quoted or in brackets. */
const styleOfCode = (code: string): Style => {
  const shown = code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
  if (/[dmyhs]/i.test(shown) && !/[0#?]/.test(shown.replace(/[.,]0+/g, ''))) return 'day';
  return shown.includes('%') ? 'percent' : 'plain';
};
const builtIn = (id: number): Style | undefined => {
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58))
    return 'day';
  return id === 9 || id === 10 ? 'percent' : undefined;
};

async function stylesOf(archive: Archive): Promise<readonly Style[]> {
  if (!archive.has('xl/styles.xml')) return [];
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let isInCells = false;
  await listen(archive, 'xl/styles.xml', {
    open: ({ name, attributes }) => {
      if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      if (name === 'cellXfs') isInCells = true;
      if (name === 'xf' && isInCells) formats.push(Number(attributes['numFmtId'] ?? 0));
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return formats.map((id) => builtIn(id) ?? styleOfCode(codes.get(id) ?? ''));
}

/** A number as people write it. A spreadsheet knows fifteen digits: 17.999999999999996 is 18. */
const plainNumber = (value: number): string =>
  Number(value.toPrecision(15)).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 12 });

const DAYS_TO_1904 = 1462;
const dayText = (count: number, from1904: boolean): string => {
  const ms = Math.round((count + (from1904 ? DAYS_TO_1904 : 0) - 25_569) * 86_400) * 1000;
  if (!Number.isFinite(ms) || Math.abs(ms) > 8e15) return plainNumber(count);
  return new Date(ms)
    .toISOString()
    .replace('T00:00:00.000Z', '')
    .replace(/\.000Z$/, '');
};

interface Book {
  readonly texts: readonly string[];
  readonly styles: readonly Style[];
  readonly from1904: boolean;
}
const numberText = (text: string, style: Style | undefined, { from1904 }: Book): string => {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) return text;
  if (style === 'day') return dayText(value, from1904);
  return style === 'percent' ? `${plainNumber(value * 100)} %` : plainNumber(value);
};
const cellText = (type: string, text: string, style: Style | undefined, book: Book): string => {
  if (type === 's') return book.texts[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'Yes' : 'No';
  return type === 'n' ? numberText(text, style, book) : text;
};

/** The column of a cell, from 0: of `AB12` it is 27. */
const columnOf = (reference: string): number =>
  [...reference.replace(/\d.*$/, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** The rows of the first sheet of a workbook, as text: of a formula its value, of a day the day, of a percentage the percentage. */
export async function* readWorkbook(path: string, most?: number): AsyncGenerator<FileRow> {
  const archive = await openArchive(path, most);
  try {
    if (!archive.has('xl/workbook.xml'))
      throw new BrokenFile(say('This is no workbook: a file of kind XLSX or CSV can be imported'));
    const { part, from1904 } = await firstSheet(archive);
    if (!archive.has(part)) throw new BrokenFile(say('This workbook has no sheet'));
    const book: Book = { texts: await sharedTexts(archive), styles: await stylesOf(archive), from1904 };
    yield* rowsOf(archive, part, book);
  } finally {
    await archive.close();
  }
}

async function* rowsOf(archive: Archive, part: string, book: Book): AsyncGenerator<FileRow> {
  let rows: FileRow[] = [];
  let cells: string[] = [];
  let row = 0;
  let column = -1;
  let type = '';
  let style = -1;
  let text = '';
  let isValue = false;
  const listener: Listener = {
    open: ({ name, attributes }) => {
      if (name === 'row') {
        row = Number(attributes['r'] ?? row + 1);
        cells = [];
        column = -1;
      }
      if (name === 'c') {
        column = attributes['r'] ? columnOf(attributes['r']) : column + 1;
        type = attributes['t'] ?? 'n';
        style = Number(attributes['s'] ?? -1);
        text = '';
      }
      isValue = name === 'v' || name === 't';
    },
    text: (one) => {
      if (isValue) text += one;
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false;
      if (name === 'c' && text !== '') {
        if (column >= MOST_CELLS || column < 0)
          throw new BrokenFile(say('Row {{row}} has more than {{most}} cells', { row, most: MOST_CELLS }));
        while (cells.length < column) cells.push('');
        cells[column] = cellText(type, text, book.styles[style], book);
      }
      if (name === 'row') rows.push({ row, cells });
    },
  };
  for await (const _ of heard(archive, part, listener)) {
    yield* rows;
    rows = [];
  }
  yield* rows;
}
