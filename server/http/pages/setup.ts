import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type pg from 'pg';
import type { Problem } from '../../../domain/document/document.ts';
import { businesses, businessNames } from '../../../domain/facts/businesses.ts';
import { ownStates } from '../../../domain/tax/gst/registration/states.ts';
import { digestOf, newLink } from '../../identity/links.ts';
import { escaped, openingPage, page, sentencePage } from '../../identity/pages.ts';
import { hashPassword } from '../../identity/password.ts';
import { type Books, openBooks } from '../../kit/database/sql.ts';
import { foundFirst, readFirst } from '../../organisation/index.ts';

export interface SetupPages {
  readonly books: Books;
  readonly owner: pg.Pool;
  /** Passwords are kept here; with an external issuer the owner signs in there with this e-mail. */
  readonly embedded: boolean;
  readonly policy: (nonce: string) => string;
}

/** A fresh one-time link for an installation without organisations; earlier ones open nothing any more. Undefined: there is one. */
export async function setupLink(ownerUrl: string, publicUrl: string): Promise<string | undefined> {
  const owner = openBooks(ownerUrl, 1);
  try {
    if ((await owner.pool.query('select from organisations limit 1')).rowCount) return undefined;
    await owner.pool.query(`delete from sign_in_links where purpose = 'setup' and used_at is null`);
    const { token } = await newLink(owner.kysely, 'setup', undefined);
    return `${publicUrl}/setup#${token}`;
  } finally {
    await owner.end();
  }
}

export type Typed = Readonly<Record<string, string | undefined>>;

/** The pages behind that link: a form for the first organisation, its registration and its owner. Reading uses nothing up. */
export function mountSetup(app: FastifyInstance, { books, owner, embedded, policy }: SetupPages): void {
  const show = (reply: FastifyReply, status: number, draw: (nonce: string) => string) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .status(status)
      .header('Content-Security-Policy', policy(nonce))
      .header('Cache-Control', 'no-store')
      .type('text/html')
      .send(draw(nonce));
  };
  const nothing = (reply: FastifyReply) =>
    show(reply, 404, (nonce) =>
      sentencePage(
        'This link opens nothing',
        'It was used already, is older than a day, or a newer one was made. While there is no organisation, every ' +
          'start of the server prints a new one.',
        ['/', 'To the start'],
        nonce,
      ),
    );
  const form = { title: 'First organisation', action: '/setup', asksPassword: embedded };
  app.get('/setup', async (_request, reply) =>
    show(reply, 200, (nonce) => openingPage('First organisation', '/setup', nonce)),
  );
  app.post<{ Body: Typed }>(
    '/setup',
    { config: { rateLimit: { max: 20, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const typed = request.body ?? {};
      const link = digestOf(String(typed.token ?? ''));
      const open = await books.pool.query(
        `select from sign_in_links where digest = $1 and purpose = 'setup' and used_at is null and expires_at > now()`,
        [link],
      );
      if (open.rowCount !== 1) return nothing(reply);
      if (typed.name === undefined) return show(reply, 200, (nonce) => formPage(nonce, typed, [], form));
      const first = readFirst(typed, embedded);
      if (!('name' in first)) return show(reply, 422, (nonce) => formPage(nonce, typed, first, form));
      const made = await foundFirst(owner, link, first, embedded ? await hashPassword(first.password) : null);
      if (!made) return nothing(reply);
      return show(reply, 200, (nonce) =>
        sentencePage(
          `${first.name} is ready`,
          `Sign in as ${first.email}${embedded ? ' with your password' : ' at the sign-in service of this installation'}.`,
          ['/api/session/SignIn', 'Sign in'],
          nonce,
        ),
      );
    },
  );
}

interface Input {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly fill?: string;
  readonly choices?: readonly (readonly [value: string, label: string])[];
}
const business: readonly Input[] = [
  { name: 'name', label: 'Name of the business', fill: 'organization' },
  { name: 'code', label: 'Short code (letters and digits, as SHARMA)' },
  {
    name: 'business',
    label: 'Kind of business',
    choices: businessNames.map((name) => [name, businesses[name].label] as const),
  },
  { name: 'gstin', label: 'GSTIN (empty: not registered)' },
  {
    name: 'kind',
    label: 'Registration type',
    choices: [
      ['regular', 'Regular'],
      ['composition', 'Composition'],
      ['sez', 'SEZ'],
    ],
  },
  {
    name: 'state',
    label: 'State (with a GSTIN it follows)',
    choices: [['', 'Choose'], ...ownStates.map(({ code, name }) => [code, name] as const)],
  },
  { name: 'line1', label: 'Address', fill: 'street-address' },
  { name: 'city', label: 'City', fill: 'address-level2' },
  { name: 'pincode', label: 'PIN code', fill: 'postal-code' },
];
const person: readonly Input[] = [
  { name: 'person', label: 'Your name', fill: 'name' },
  { name: 'email', label: 'Email', type: 'email', fill: 'username' },
];
const passwords: readonly Input[] = [
  { name: 'password', label: 'Password (at least 12 characters)', type: 'password', fill: 'new-password' },
  { name: 'again', label: 'The same again', type: 'password', fill: 'new-password' },
];

interface Form {
  readonly title: string;
  readonly action: string;
  readonly asksPassword: boolean;
  /** The address that was confirmed already. */
  readonly email?: string;
}

/** The form for an organisation, its registration and its owner. */
export function formPage(
  nonce: string,
  typed: Typed,
  problems: readonly Problem[],
  { title, action, asksPassword, email }: Form,
): string {
  const draw = ({ name, label, type = 'text', fill = 'off', choices }: Input): string => {
    const wrong = problems.find((p) => p.field === name)?.message;
    const marks = `id="${name}" name="${name}"${wrong ? ` aria-invalid="true" aria-describedby="${name}-wrong"` : ''}`;
    const value = type === 'password' ? '' : escaped(typed[name] ?? '');
    const field = choices
      ? `<select ${marks}>${choices.map(([code, text]) => `<option value="${escaped(code)}"${typed[name] === code ? ' selected' : ''}>${escaped(text)}</option>`).join('')}</select>`
      : `<input ${marks} type="${type}" autocomplete="${fill}" value="${value}">`;
    return `<label for="${name}">${escaped(label)}</label>${field}${wrong ? `<div class="bad" id="${name}-wrong">${escaped(wrong)}</div>` : ''}`;
  };
  const einvoice = `<label class="check"><input type="checkbox" name="einvoice" value="1"${typed.einvoice ? ' checked' : ''}> E-invoicing applies</label>`;
  const asked = [
    ...person.filter(({ name }) => name !== 'email' || email === undefined),
    ...(asksPassword ? passwords : []),
  ];
  const says =
    email === undefined
      ? 'This makes the first organisation of this installation and you its owner. More can follow later.'
      : `This makes an organisation, and you, ${escaped(email)}, its owner.`;
  return page(
    title,
    `<p>${says}</p>${problems.length > 0 ? '<div class="bad" role="alert">Please correct the highlighted fields.</div>' : ''}
<form method="post" action="${action}"><input type="hidden" name="token" value="${escaped(typed.token ?? '')}">${business.map(draw).join('')}${einvoice}${asked.map(draw).join('')}<button type="submit">Make the organisation</button></form>`,
    nonce,
  );
}
