import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type pg from 'pg';
import { type Said, say } from '../../../domain/base/say.ts';
import type { Problem } from '../../../domain/document/document.ts';
import { businesses, businessNames } from '../../../domain/facts/businesses.ts';
import { ownStates } from '../../../domain/tax/gst/registration/states.ts';
import { digestOf, newLink } from '../../identity/links.ts';
import { danger, openingPage, page, sentencePage } from '../../identity/pages.ts';
import { hashPassword } from '../../identity/password.ts';
import { type Books, openBooks } from '../../kit/database/sql.ts';
import { type Html, html } from '../../kit/html.ts';
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
        say('This link opens nothing'),
        say(
          'It was used already, is older than a day, or a newer one was made. While there is no organisation, every ' +
            'start of the server prints a new one.',
        ),
        ['/', say('To the start')],
        nonce,
      ),
    );
  const form = { title: say('First organisation'), action: '/setup', asksPassword: embedded };
  app.get('/setup', async (_request, reply) =>
    show(reply, 200, (nonce) => openingPage(say('First organisation'), '/setup', nonce)),
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
      return show(reply, 200, (nonce) => readyPage(nonce, first.name, first.email, embedded));
    },
  );
}

/** Says that an organisation was made, and how its owner signs in. */
export const readyPage = (nonce: string, name: string, email: string, isPassword: boolean): string =>
  sentencePage(
    say('{{name}} is ready', { name }),
    isPassword
      ? say('Sign in as {{email}} with your password.', { email })
      : say('Sign in as {{email}} at the sign-in service of this installation.', { email }),
    ['/api/session/SignIn', say('Sign in')],
    nonce,
  );

interface Input {
  readonly name: string;
  readonly label: Said;
  readonly type?: 'text' | 'email' | 'password';
  readonly fill?: string;
  readonly choices?: readonly (readonly [value: string, label: Said | string])[];
}
const business: readonly Input[] = [
  { name: 'name', label: say('Name of the business'), fill: 'organization' },
  { name: 'code', label: say('Short code (letters and digits, as SHARMA)') },
  {
    name: 'business',
    label: say('Kind of business'),
    choices: businessNames.map((name) => [name, businesses[name].label] as const),
  },
  { name: 'gstin', label: say('GSTIN (empty: not registered)') },
  {
    name: 'kind',
    label: say('Registration type'),
    choices: [
      ['regular', say('Regular')],
      ['composition', say('Composition')],
      ['sez', say('SEZ')],
    ],
  },
  {
    name: 'state',
    label: say('State (with a GSTIN it follows)'),
    choices: [['', say('Choose')], ...ownStates.map(({ code, name }) => [code, name] as const)],
  },
  { name: 'line1', label: say('Address'), fill: 'street-address' },
  { name: 'city', label: say('City'), fill: 'address-level2' },
  { name: 'pincode', label: say('PIN code'), fill: 'postal-code' },
];
const person: readonly Input[] = [
  { name: 'person', label: say('Your name'), fill: 'name' },
  { name: 'email', label: say('Email'), type: 'email', fill: 'username' },
];
const passwords: readonly Input[] = [
  { name: 'password', label: say('Password (at least 12 characters)'), type: 'password', fill: 'new-password' },
  { name: 'again', label: say('The same again'), type: 'password', fill: 'new-password' },
];

interface Form {
  readonly title: Said;
  readonly action: string;
  readonly asksPassword: boolean;
  /** The address that was confirmed already. */
  readonly email?: string;
}

/** A field of the form with its label, what was typed before and what is wrong with it. */
function fieldOf({ name, label, type = 'text', fill = 'off', choices }: Input, typed = '', wrong?: Said): Html {
  const marks = html`id="${name}" name="${name}"${wrong && html` aria-invalid="true" aria-describedby="${name}-wrong"`}`;
  const options = choices?.map(
    ([code, text]) => html`<option value="${code}"${typed === code && html` selected`}>${text}</option>`,
  );
  return html`
  <label for="${name}">${label}</label>
  ${
    options
      ? html`<select ${marks}>${options}</select>`
      : html`<input ${marks} type="${type}" autocomplete="${fill}" value="${type === 'password' ? '' : typed}">`
  }
  ${wrong && html`<div class="bad" id="${name}-wrong">${wrong}</div>`}`;
}

/** The form for an organisation, its registration and its owner. */
export function formPage(
  nonce: string,
  typed: Typed,
  problems: readonly Problem[],
  { title, action, asksPassword, email }: Form,
): string {
  const draw = (input: Input) =>
    fieldOf(
      input,
      typed[input.name],
      problems.find(({ field }) => field === input.name),
    );
  const asked = [
    ...person.filter(({ name }) => name !== 'email' || email === undefined),
    ...(asksPassword ? passwords : []),
  ];
  return page(
    title,
    html`
<p>${
      email === undefined
        ? say('This makes the first organisation of this installation and you its owner. More can follow later.')
        : say('This makes an organisation, and you, {{email}}, its owner.', { email })
    }</p>
${danger(problems.length > 0 ? say('Please correct the highlighted fields.') : undefined)}
<form method="post" action="${action}">
  <input type="hidden" name="token" value="${typed.token ?? ''}">
  ${business.map(draw)}
  <label class="check">
    <input type="checkbox" name="einvoice" value="1"${typed.einvoice ? html` checked` : undefined}> ${say('E-invoicing applies')}
  </label>
  ${asked.map(draw)}
  <button type="submit">${say('Make the organisation')}</button>
</form>`,
    nonce,
  );
}
