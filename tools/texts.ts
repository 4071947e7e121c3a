import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { type RefusalCode, refusals, textOfRefusal } from '../contract/errors.ts';
import { levelWords } from '../contract/levels.ts';
import { masters } from '../contract/masters.ts';
import { modules } from '../contract/modules.ts';
import { reports } from '../contract/reports.ts';
import { screens } from '../contract/screens.ts';
import { settingsMenu } from '../contract/settings.ts';
import { paymentMethodLabels } from '../domain/banking/payment-methods.ts';
import { additionalTypes } from '../domain/document/additional.ts';
import { kinds } from '../domain/document/kinds/index.ts';
import { labelFormats } from '../domain/items/labels.ts';
import { logoPlaces, paperColours, paperColumns, paperSizes } from '../domain/paper/paper-template.ts';
import { statusLabels } from '../domain/tax/gst/registration/registered.ts';
import { askableFields, facts, families } from '../domain/workflow/families.ts';
import { filesOf, isTest, textOf } from './source.ts';
import { isNode, type Node } from './syntax.ts';

/** The texts for people: which ones there are, where they are bare, and the list of them (ADR 79). */
export type Sentences = Readonly<Record<string, string>>;

export const LIST = path.join(import.meta.dirname, '../web/locales/en.json');

/** Papers and letters are written for others: their language is not that of the person who makes them. */
const papers = ['web/till/paper/receipt.ts', 'web/till/paper/ReceiptPaper.tsx', 'web/views/view/letter.ts'];
/** The translator itself. */
const translator = ['web/kit/text.ts', 'web/kit/Sentence.tsx'];

/** Sources of domain, contract and server that say something to people: problems, warnings and refusals (ADR 82). */
export const sayers = (): string[] =>
  ['domain', 'contract', 'server']
    .flatMap(filesOf)
    .filter((file) => file.endsWith('.ts') && !isTest(file) && /\bsay\b[^;]*\/say\.ts'/.test(textOf(file)));

export const sources = (): string[] =>
  filesOf('web').filter((file) => /\.tsx?$/.test(file) && !isTest(file) && ![...papers, ...translator].includes(file));

/** Fields of rows that people read, in the tables of the contract, of the domain and of web. */
const readable = new Set(
  'label title plural help none empty notImported says word heading group trail section sentence question placeholder hint one'.split(
    ' ',
  ),
);
/** Attributes and properties whose text people read. A badge takes the English word and translates it itself. */
const attributes = new Set(
  (
    'label title placeholder aria-label aria-description description alt heading message hint help sentence question ' +
    'consequence keep verb cancel empty nothingFound says note caption legend summary'
  ).split(' '),
);

const LETTERS = /\p{L}{2}/u;
/** A name of a field or of a choice, and no text. */
const isName = (text: string): boolean => /^[a-z]+([A-Z][a-z]*)*$/.test(text) || !LETTERS.test(text);

const members = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));

const nameOf = (node: unknown): string => (isNode(node) ? String(node['name'] ?? node['value'] ?? '') : '');

/** Methods of lists: in a constant their callbacks run when the module is loaded, before the language is known. */
const runs = new Set(['map', 'flatMap', 'filter', 'forEach', 'reduce', 'sort', 'toSorted', 'find']);

type Visit = (node: Node, isInFunction: boolean) => void;
function walk(node: Node, visit: Visit, isInFunction = false, isRunAtOnce = false): void {
  visit(node, isInFunction);
  const isRunLater = /Function/.test(node.type) && !isRunAtOnce;
  const runsAtOnce =
    !isInFunction && node.type === 'CallExpression' && runs.has(nameOf((node['callee'] as Node)['property']));
  for (const member of members(node)) walk(member, visit, isInFunction || isRunLater, runsAtOnce);
}

const treeOf = (file: string): Node => parseSync(file, textOf(file)).program as unknown as Node;

const literalOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;

/** The texts that an expression may come to. */
const literalsIn = (node: unknown): string[] => {
  if (!isNode(node)) return [];
  const text = literalOf(node);
  if (text !== undefined) return [text];
  if (node.type === 'ConditionalExpression') return [node['consequent'], node['alternate']].flatMap(literalsIn);
  if (node.type === 'LogicalExpression') return [node['left'], node['right']].flatMap(literalsIn);
  if (node.type === 'BinaryExpression') {
    const [left, right] = [literalsIn(node['left']), literalsIn(node['right'])];
    return left.length === 1 && right.length === 1 ? [`${left[0]}${right[0]}`] : [];
  }
  if (node.type === 'JSXExpressionContainer') return literalsIn(node['expression']);
  return [];
};

const plain = (texts: readonly string[]): Sentences => Object.fromEntries(texts.map((text) => [text, text]));
const withTexts = (texts: readonly string[]): Sentences => plain(texts.filter((text) => !isName(text)));

/** Constants of a source that are one text each. */
function constantsOf(program: Node): Sentences {
  const found: Record<string, string> = {};
  walk(program, (node) => {
    const text = node.type === 'VariableDeclarator' ? literalOf(node['init']) : undefined;
    if (text !== undefined) found[nameOf(node['id'])] = text;
  });
  return found;
}

/** Words and sentences begin with a capital letter, and names of code have none within. */
const isWritten = (text: string): boolean =>
  /^\p{Lu}/u.test(text) && /\p{Ll}/u.test(text) && !/\p{Ll}\p{Lu}/u.test(text);

/** Texts of a table of web: of a field that people read all, of other fields what is written like a text. */
const readIn = (property: Node): string[] => {
  const value = property['value'];
  return readable.has(nameOf(property['key'])) ? literalsIn(value) : literalsIn(value).filter(isWritten);
};

/** The keys that one node of a source asks for. */
function asked(node: Node, isInFunction: boolean, constants: Sentences): Sentences {
  if (node.type === 'CallExpression') {
    const given = node['arguments'] as readonly Node[];
    const callee = nameOf(node['callee']);
    const constant = constants[nameOf(given[0])];
    if (callee === 't') return plain(constant === undefined ? literalsIn(given[0]) : [constant]);
    if (callee !== 'plural') return {};
    const [one, other] = [literalOf(given[1]), literalOf(given[2])];
    return one === undefined || other === undefined ? {} : { [`${other}_one`]: one, [`${other}_other`]: other };
  }
  if (node.type === 'JSXAttribute')
    return ['word', 'text'].includes(nameOf(node['name'])) ? withTexts(literalsIn(node['value'])) : {};
  if (node.type === 'Property' && !isInFunction) return withTexts(readIn(node));
  if (node.type === 'ArrayExpression' && !isInFunction)
    return withTexts((node['elements'] as readonly unknown[]).flatMap(literalsIn).filter(isWritten));
  return {};
}

/** Choices are pairs of a value and its label. */
const labelsOf = (choices: unknown): string[] =>
  Array.isArray(choices) ? choices.map((choice) => String(Array.isArray(choice) ? choice[1] : choice)) : [];

/** The texts of a table of data: the fields that people read, and the labels of choices. */
function ofTable(value: unknown, isRead = false): string[] {
  if (typeof value === 'string') return isRead ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => ofTable(each, isRead));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'choices' ? labelsOf(each) : ofTable(each, readable.has(key)),
  );
}

/** Tables whose rows the engines translate when they draw them. */
const tables = [screens, masters, reports, settingsMenu, kinds, families, facts, labelFormats, paperColumns];
const words = [levelWords, askableFields, paymentMethodLabels, statusLabels].flatMap((table): string[] =>
  Object.values(table),
);
const choices = [additionalTypes, paperSizes, paperColours, logoPlaces].flatMap(labelsOf);
const ofModules = Object.values(modules).flatMap(({ name, says }) => [name, says]);

const refused = (Object.keys(refusals) as RefusalCode[]).map(textOfRefusal);

const isSay = (node: Node): boolean => node.type === 'CallExpression' && nameOf(node['callee']) === 'say';

/** The keys that `say` is given in a source. */
function saidIn(program: Node): Sentences {
  const found: string[] = [];
  walk(program, (node) => {
    if (isSay(node)) found.push(...literalsIn((node['arguments'] as readonly unknown[])[0]));
  });
  return plain(found.filter((text) => text !== ''));
}

/** Where `say` is given something that is no literal, so that the catalogue cannot have it, as `file:line`. */
export function unsayable(file: string, source = textOf(file)): string[] {
  const found: string[] = [];
  walk(parseSync(file, source).program as unknown as Node, (node) => {
    if (isSay(node) && literalsIn((node['arguments'] as readonly unknown[])[0]).length === 0)
      found.push(`${file}:${source.slice(0, node.start).split('\n').length}`);
  });
  return found;
}

/** Every text of the product, by its key, in alphabetical order. */
export function sentences(): Sentences {
  const found: Record<string, string> = {
    ...withTexts([...ofTable(tables), ...words, ...choices, ...ofModules]),
    ...plain(refused),
  };
  for (const file of sources()) {
    const program = treeOf(file);
    const constants = constantsOf(program);
    walk(program, (node, isInFunction) => Object.assign(found, asked(node, isInFunction, constants)));
  }
  for (const file of sayers()) Object.assign(found, saidIn(treeOf(file)));
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The fixed texts of an expression, those with values in them too. */
const textsIn = (node: Node): string[] =>
  node.type === 'TemplateLiteral'
    ? (node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]).map(({ value }) => value.cooked)
    : literalsIn(node);

const inside = (container: unknown): Node | undefined =>
  isNode(container) && container.type === 'JSXExpressionContainer' ? (container['expression'] as Node) : undefined;

/** Texts for people of a node that do not come from the catalogue. */
function bareIn(node: Node): string[] {
  if (node.type === 'JSXText') return [nameOf(node).trim()].filter((text) => LETTERS.test(text));
  const isShown = node.type === 'JSXAttribute' && attributes.has(nameOf(node['name']));
  const shown = isShown ? [node['value']] : ((node['children'] as readonly unknown[] | undefined) ?? []);
  return shown
    .map((each) => (isShown && literalOf(each) !== undefined ? (each as Node) : inside(each)))
    .flatMap((each) => (each ? textsIn(each) : []))
    .filter((text) => !isName(text));
}

/** Where a text is written bare, as `file:line: text`. */
export function bare(file: string, source = textOf(file)): string[] {
  const found: string[] = [];
  walk(parseSync(file, source).program as unknown as Node, (node) => {
    const line = source.slice(0, node.start).split('\n').length;
    found.push(...bareIn(node).map((text) => `${file}:${line}: ${text}`));
  });
  return found;
}

/** Where a constant would keep a text of the language that is not known yet when its module is loaded. */
export function frozen(file: string, source = textOf(file)): string[] {
  const found: string[] = [];
  walk(parseSync(file, source).program as unknown as Node, (node, isInFunction) => {
    const isAsked = node.type === 'CallExpression' && ['t', 'plural'].includes(nameOf(node['callee']));
    if (isAsked && !isInFunction) found.push(`${file}:${source.slice(0, node.start).split('\n').length}`);
  });
  return found;
}

export const listed = (): Sentences => JSON.parse(fs.readFileSync(LIST, 'utf8')) as Sentences;
export const written = (all: Sentences): string => `${JSON.stringify(all, null, 2)}\n`;
