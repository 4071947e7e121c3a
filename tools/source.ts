import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** The source files of a room, tests among them, as paths from the checkout's root. */
export const filesOf = (room: string): string[] =>
  fs.existsSync(path.join(root, room))
    ? fs
        .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(tsx?|mjs)$/.test(name))
        .map((name) => path.posix.join(room, name.split(path.sep).join('/')))
        .sort()
    : [];

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
export const textOf = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

/** Text without its comments; their lines stay, so that positions keep their line. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, '')).replace(/(^|[\s;{}(,])\/\/.*$/gm, '$1');

const statement = /^\s*(?:import|export)\s(?:[^'"`;=(]*?\bfrom\s*)?['"]([^'"\n]+)['"]/gm;
const dynamic = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;

/** What a file imports: files of the checkout as paths from its root, packages by their name. */
export function importsOf(file: string): { files: string[]; packages: string[] } {
  const text = withoutComments(textOf(file));
  const named = [statement, dynamic].flatMap((form) => [...text.matchAll(form)].map((found) => found[1] ?? ''));
  const isFile = (name: string) => name.startsWith('.');
  return {
    files: named.filter(isFile).map((name) => path.posix.join(path.posix.dirname(file), name)),
    packages: named.filter((name) => !isFile(name)),
  };
}
