import { afterAll, beforeAll, expect, test } from 'vitest';
import { inEnglish, type Text, worded } from '../../domain/base/say.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type Answered, type TestServer, testServer } from '../../tools/testing/server.ts';
import { listed } from '../../tools/texts.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
});
afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.stop();
});

/** Sentences of a second language, with their values in another order. */
const second: Readonly<Record<string, string>> = {
  'Please correct the highlighted fields': 'Bitte die markierten Felder berichtigen',
  '{{name}} cannot be retired: {{reason}}': 'Weil {{reason}}, bleibt {{name}}',
  '{{quantity}} are in stock at {{what}}': 'in {{what}} noch {{quantity}} liegen',
  'This file cannot be used: {{reason}}': 'Die Datei geht nicht: {{reason}}',
  'it is empty': 'sie ist leer',
  '{{field}} is required': '{{field}} fehlt',
  '{{field}} must be {{what}}': '{{field}} muss {{what}} sein',
  'the id of a record': 'die Kennung eines Satzes',
};
const inSecond = (text: Text): string => worded(text, (key) => second[key] ?? key);

interface Details {
  readonly text?: Text;
  readonly problems?: readonly { readonly field: string; readonly message: string; readonly text: Text }[];
}
const detailsOf = ({ details }: Answered): Details => details as Details;

/** The sentences of a text: each is in the list that translators get. */
const sentencesOf = ({ key, values }: Text): string[] => [
  key,
  ...Object.values(values).flatMap((value) => (typeof value === 'object' ? sentencesOf(value) : [])),
];
const all = listed();
const isListed = (text: Text) => expect(sentencesOf(text).filter((key) => !(key in all))).toEqual([]);

test('a refusal arrives with its reason in the second language', async () => {
  const answer = await shop.owner.call('RetireMaster', { master: 'item', id: shop.item, version: 1 } as never);
  const { text } = detailsOf(answer);
  if (!text) throw new Error(JSON.stringify(answer));
  expect(inSecond(text)).toMatch(/^Weil in .+ noch 100 NOS liegen, bleibt LED bulb 9 W$/);
  expect(inEnglish(text)).toBe(answer.message);
  isListed(text);
});

test('a refusal of a module beside the books does so too', async () => {
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const { TransactionId: id } = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  const answer = await shop.owner.call('AttachFile', { id, name: 'bill.pdf', content: '' } as never);
  const { text, problems } = detailsOf(answer);
  expect([text && inSecond(text), problems]).toEqual(['Die Datei geht nicht: sie ist leer', []]);
  isListed(text as Text);
});

test('a problem at a field, and the sentence above all of them', async () => {
  const answer = await shop.owner.call(
    'PostTransactionCalls',
    { document: { kind: 'saleInvoice', date: '2026-11-28', lines: [], ...shop.place } } as never,
    crypto.randomUUID(),
  );
  const { problems = [], text } = detailsOf(answer);
  expect(answer.status).toBe(422);
  expect(problems.length).toBeGreaterThan(0);
  expect(text && inSecond(text)).toBe('Bitte die markierten Felder berichtigen');
  for (const problem of problems) {
    expect(inEnglish(problem.text)).toBe(problem.message);
    isListed(problem.text);
  }
});

test('a problem that a schema finds', async () => {
  const missing = detailsOf(await shop.owner.call('AddComment', { id: shop.item } as never)).problems ?? [];
  expect(missing.map(({ text }) => inSecond(text))).toEqual(['text fehlt']);
  const wrong = detailsOf(await shop.owner.call('AddComment', { id: 'x', text: 'Hello' } as never)).problems ?? [];
  expect(wrong.map(({ text }) => inSecond(text))).toEqual(['id muss die Kennung eines Satzes sein']);
  for (const { text } of [...missing, ...wrong]) isListed(text);
});
