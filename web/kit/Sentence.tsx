import { createElement, Fragment, type ReactNode } from 'react';
import { t } from './text.ts';

/** What is put at `{{name}}`, or what draws the text of `<name>…</name>`. */
type Part = ReactNode | ((text: ReactNode) => ReactNode);
type Parts = Readonly<Record<string, Part>>;

const MARKED = /<(\w+)>(.*?)<\/\1>|\{\{(\w+)\}\}/g;

function drawn(text: string, parts: Parts): ReactNode {
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const found of text.matchAll(MARKED)) {
    const [all, tag, inner = '', place] = found;
    const part = parts[tag ?? place ?? ''];
    pieces.push(text.slice(at, found.index), typeof part === 'function' ? part(drawn(inner, parts)) : part);
    at = found.index + all.length;
  }
  pieces.push(text.slice(at));
  return createElement(Fragment, null, ...pieces);
}

/**
 * A sentence that has markup inside, as one text of the catalogue: "Closed by {{who}}: <link>look at it</link>". Markup
 * in the text of a value is only text.
 */
export const Sentence = ({ text, values }: { readonly text: string; readonly values: Parts }): ReactNode =>
  drawn(t(text), values);
