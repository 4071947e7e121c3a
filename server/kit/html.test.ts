import { expect, test } from 'vitest';
import { say } from '../../domain/base/say.ts';
import { asMarkup, html } from './html.ts';

test('html: text, numbers and sentences are escaped, in attributes too', () => {
  const name = `"><script>'&`;
  expect(html`<b title="${name}">${1} ${say('{{name}} is ready', { name: '<i>' })}</b>`.text).toBe(
    '<b title="&#34;&#62;&#60;script&#62;&#39;&#38;">1 &#60;i&#62; is ready</b>',
  );
});

test('html: pieces are put in as they are, lists one after the other, and nothing for undefined and false', () => {
  const rows = ['a', '<b>'].map((each) => html`<li>${each}</li>`);
  expect(html`<ul>${rows}</ul>${undefined}${false}${asMarkup('<hr>')}`.text).toBe(
    '<ul><li>a</li><li>&#60;b&#62;</li></ul><hr>',
  );
});
