import type { Node } from './texts.ts';

/** The scripts of India that the Latin font lacks, by the name of the font that has them. Devanagari is in the Latin font. */
export const scripts = {
  Bengali: /\p{Script=Bengali}/u,
  Gujarati: /\p{Script=Gujarati}/u,
  Gurmukhi: /\p{Script=Gurmukhi}/u,
  Kannada: /\p{Script=Kannada}/u,
  Malayalam: /\p{Script=Malayalam}/u,
  Oriya: /\p{Script=Oriya}/u,
  Tamil: /\p{Script=Tamil}/u,
  Telugu: /\p{Script=Telugu}/u,
} as const;
export type ScriptName = keyof typeof scripts;
const names = Object.keys(scripts) as ScriptName[];

/** Joiners and places to break that belong to the letter before them. */
const JOINERS = /[\u200b-\u200d]/;
const scriptOf = (letter: string): ScriptName | undefined => names.find((name) => scripts[name].test(letter));

interface Run {
  readonly text: string;
  readonly script: ScriptName | undefined;
}

/** A text in runs of one script each; a joiner stays with its letter, all else is in the Latin font. */
export function runsOf(text: string): readonly Run[] {
  const runs: { text: string; script: ScriptName | undefined }[] = [];
  for (const letter of text) {
    const last = runs.at(-1);
    const script = last?.script && JOINERS.test(letter) ? last.script : scriptOf(letter);
    if (last && last.script === script) last.text += letter;
    else runs.push({ text: letter, script });
  }
  return runs;
}

/** The scripts of a text that need a font of their own. */
export const scriptsIn = (text: string): ReadonlySet<ScriptName> =>
  new Set(names.filter((name) => scripts[name].test(text)));

type Tree = Readonly<Record<string, unknown>>;

/** One text as pieces with their fonts; the text itself where the Latin font has all of it. */
const inFonts = (text: string): string | Node[] => {
  const runs = runsOf(text);
  if (runs.every(({ script }) => script === undefined)) return text;
  return runs.map(({ text: said, script }) => (script ? { text: said, font: script } : said));
};

/** The `text` of a node: a text, a piece, or a list of both. */
const textInFonts = (text: unknown): unknown => {
  if (typeof text === 'string') return inFonts(text);
  if (Array.isArray(text)) return text.flatMap((each) => textInFonts(each));
  return typeof text === 'object' && text !== null ? withScripts(text as Tree) : text;
};

/** A text that stands by itself in a list of nodes becomes one. */
const nodeInFonts = (node: unknown): unknown => {
  if (typeof node !== 'string') return withScripts(node);
  const said = inFonts(node);
  return typeof said === 'string' ? said : { text: said };
};

/** Parts of a tree that hold text for the eye; pictures, codes and styles are left as they are. */
const HOLD = ['content', 'stack', 'columns', 'table', 'body', 'footer', 'header', 'ul', 'ol'];

/** A document tree in which every text names the fonts of its scripts. */
export function withScripts<T>(node: T): T {
  if (Array.isArray(node)) return node.map(nodeInFonts) as T;
  if (typeof node === 'function') return ((...given: unknown[]) => nodeInFonts(node(...given))) as T;
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === 'text') return [key, textInFonts(value)];
      return [key, HOLD.includes(key) ? withScripts(value) : value];
    }),
  ) as T;
}
