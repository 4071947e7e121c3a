import type { Said } from '../../domain/base/say.ts';

const isMarkup = Symbol('markup');

/** Markup in which every value is escaped. */
export interface Html {
  readonly [isMarkup]: true;
  readonly text: string;
}

/** What may be put at a place of `html`. Nothing is put there for `undefined` and `false`. */
export type Part = Html | Said | string | number | false | undefined | readonly Part[];

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  if (!('message' in part) && !(isMarkup in part)) return part.map(textOf).join('');
  return isMarkup in part ? part.text : escaped(part.message);
}

/** Markup that comes from a library, as it is: its author has escaped the values. */
export const asMarkup = (text: string): Html => ({ [isMarkup]: true, text });

/** A piece of a page: html`<p>${name}</p>`. Values are escaped, in attributes between quotes too; other pieces are not. */
export const html = (markup: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  asMarkup(markup.map((piece, at) => piece + textOf(parts[at])).join(''));
