import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseSync } from 'vite';
import { isTest } from './source.ts';
import { isNode, type Node } from './syntax.ts';

/*
 * A value that is no text is printed as "[object Object]", and TypeScript lets it be: at a place of a template, in `String(…)`, beside a
 * plus sign, in `join`. A sentence of `say` is such a value (ADR 82). Here the compiler is asked all the same: a copy of the sources
 * passes each value that is printed to a function that takes nothing but what prints as it reads.
 */

const root = path.resolve(import.meta.dirname, '..');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
const rooms = ['domain', 'contract', 'sandbox', 'server', 'web'];

/** `unknown` is let pass: nothing can be said of it. `kinds` are objects that write themselves as text. */
const declaration = (kinds: string): string => `export {};
declare global {
  type AsText = string | number | bigint | boolean | symbol | null | undefined | Error | URL | Date | URLSearchParams | RegExp${kinds};
  type NoText<T> = T extends AsText | readonly AsText[] ? never : {} extends T ? never : T;
  type Sentence<T> = T extends { readonly message: string; readonly text: unknown } ? T : never;
  function __stored<const T>(value: [Sentence<T>] extends [never] ? T : AsText): T;
  function __printed<const T>(value: [NoText<T>] extends [never] ? T : AsText): T;
  function __joined<T>(list: T extends readonly (infer E)[] ? ([NoText<E>] extends [never] ? T : readonly AsText[]) : T): T;
}
`;
const programs: Readonly<Record<string, string>> = {
  server: declaration(' | Buffer | NodeJS.CallSite'),
  web: declaration(''),
};

const members = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));
const nameOf = (node: unknown): string => (isNode(node) ? String(node['name'] ?? '') : '');

/** Values that a node prints, with the function that judges each. */
function printedBy(node: Node): readonly (readonly [value: Node, judge: string])[] {
  const judged = (values: unknown, judge = '__printed'): (readonly [Node, string])[] =>
    (values as readonly Node[]).map((value) => [value, judge]);
  // a value of a statement may be an object, but no sentence: its English is what is stored
  if (node.type === 'TaggedTemplateExpression')
    return nameOf(node['tag']) === 'sql' ? judged((node['quasi'] as Node)['expressions'], '__stored') : [];
  if (node.type === 'TemplateLiteral') return judged(node['expressions']);
  if (node.type === 'BinaryExpression' && node['operator'] === '+') return judged([node['left'], node['right']]);
  if (node.type === 'AssignmentExpression' && node['operator'] === '+=') return judged([node['right']]);
  if (node.type !== 'CallExpression') return [];
  const callee = node['callee'] as Node;
  if (nameOf(callee) === 'String') return judged((node['arguments'] as readonly Node[]).slice(0, 1));
  const isJoin = callee.type === 'MemberExpression' && nameOf(callee['property']) === 'join';
  return isJoin ? [[callee['object'] as Node, '__joined']] : [];
}

interface Piece {
  readonly at: number;
  readonly text: string;
  /** Among what is put at one place. */
  readonly rank: number;
}

/** The source with each value that it prints passed to the function that judges it. */
export function judged(file: string, source: string): string {
  const pieces: Piece[] = [];
  const visit = (node: Node): void => {
    for (const [{ start, end }, judge] of printedBy(node)) {
      const rank = pieces.length;
      // outer values come first where both begin, and last where both end; the mark lets a chain end before its `join`
      pieces.push(
        { at: start, text: `${judge}(`, rank },
        { at: end, text: judge === '__joined' ? '!)' : ')', rank: -rank },
      );
    }
    for (const member of members(node.type === 'TaggedTemplateExpression' ? (node['quasi'] as Node) : node))
      visit(member);
  };
  visit(parseSync(file, source).program as unknown as Node);
  let [text, from] = ['', 0];
  for (const { at, text: piece } of pieces.sort((a, b) => a.at - b.at || a.rank - b.rank)) {
    text += source.slice(from, at) + piece;
    from = at;
  }
  return text + source.slice(from);
}

/** A copy of the sources without tests, each value that is printed in it passed on to be judged, and what `more` adds. */
function copied(folder: string, more: Readonly<Record<string, string>>): void {
  const copy = (file: string, source: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), /\.tsx?$/.test(file) ? judged(file, source) : source);
  };
  const isWanted = (file: string) => /\.(tsx?|mjs|json)$/.test(file) && !isTest(file);
  const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
  for (const room of rooms)
    for (const name of fs.readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' }).filter(isWanted))
      copy(path.join(room, name), read(path.join(room, name)));
  for (const file of ['tsconfig.json', 'package.json']) copy(file, read(file));
  for (const [file, source] of Object.entries(more)) copy(file, source);
  for (const [room, text] of Object.entries(programs)) fs.writeFileSync(path.join(folder, room, 'printed.d.ts'), text);
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
}

const compiled = (folder: string, room: string): Promise<string[]> =>
  new Promise((done) =>
    execFile(process.execPath, [compiler, '-p', room, '--noEmit', '--pretty', 'false'], { cwd: folder }, (_, out) =>
      done(out.split('\n').filter((line) => line !== '')),
    ),
  );

/** Where a value is printed that is no text, as the compiler says it; `more` are sources to judge with those of the product. */
export async function notText(more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-text-')));
  try {
    copied(folder, more);
    const found: string[] = [];
    for (const room of Object.keys(programs)) found.push(...(await compiled(folder, room)));
    return [...new Set(found)];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
