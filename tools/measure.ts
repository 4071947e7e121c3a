import { isNode, type Node } from './syntax.ts';

/** One thing of the sources and how large it is. */
export interface Measured {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly size: number;
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
/** The fields of a declaration by which what is behind it is called. */
const names = ['id', 'key'] as const;
const nameOf = (node: Node): string | undefined => {
  const name = names.map((field) => node[field]).find(isNode);
  const text = name?.['name'] ?? name?.['value'];
  return text === undefined ? undefined : String(text);
};

/**
 * Functions by their lines, and types by their members, of a file. A function without a name is called by what it is given to.
 * Of functions in each other each counts with all its lines.
 */
export function measure(
  file: string,
  program: unknown,
  source: string,
): { readonly functions: readonly Measured[]; readonly types: readonly Measured[] } {
  const found = { functions: [] as Measured[], types: [] as Measured[] };
  const lineAt = (position: number): number => source.slice(0, position).split('\n').length;
  const walk = (value: unknown, around: string): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, around);
    if (!isNode(value)) return;
    const name = nameOf(value) ?? around;
    const line = lineAt(value.start);
    if (functions.has(value.type)) found.functions.push({ name, file, line, size: lineAt(value.end) - line + 1 });
    const members = value['members'] ?? value['body'];
    if ((value.type === 'TSTypeLiteral' || value.type === 'TSInterfaceBody') && Array.isArray(members))
      found.types.push({ name, file, line, size: members.length });
    for (const each of Object.values(value)) walk(each, name);
  };
  walk(program, file);
  return found;
}

/** Lines with more characters than this, each with its length. */
export const longLines = (file: string, source: string, most: number): Measured[] =>
  source
    .split('\n')
    .flatMap((text, at) =>
      text.length > most ? [{ name: text.trim().slice(0, 60), file, line: at + 1, size: text.length }] : [],
    );

/** Files of each folder, without those of the folders in it. */
export function folders(files: readonly string[]): Measured[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([file, size]) => ({ name: '', file, line: 0, size }));
}
