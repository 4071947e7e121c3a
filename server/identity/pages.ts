import { type Said, say } from '../../domain/base/say.ts';
import { asMarkup, type Html, html } from '../kit/html.ts';

const style = `:root{color-scheme:light dark;
--bg:#f6f7f9;--surface:#fff;--line:#dfe3e9;--control:#8a94a6;--text:#1a2230;--muted:#586377;
--brand:#104dba;--focus:#104dba;--bad:#9b1c1c;--badbg:#fde6e6}
@media (prefers-color-scheme:dark){:root{
--bg:#0f1319;--surface:#171c24;--line:#2c3440;--control:#6b7688;--text:#e6eaf0;--muted:#a0abbb;
--focus:#8fb4ff;--bad:#ffaaaa;--badbg:#431a1d}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--text);
font:14px/1.45 "Open Sans",system-ui,sans-serif}
main{width:min(380px,calc(100vw - 24px));background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:28px}
h1{font-size:19px;margin:12px 0 4px}p{margin:0 0 16px;color:var(--muted)}
label{display:block;font-weight:600;font-size:12px;margin:12px 0 4px;color:var(--muted)}
input,select{width:100%;height:40px;border:1px solid var(--control);border-radius:6px;padding:0 10px;
font:inherit;font-size:16px;background:var(--surface);color:var(--text)}
label.check{display:flex;gap:8px;align-items:center}.check input{width:20px;height:20px}
button{width:100%;height:40px;margin-top:20px;border:0;border-radius:6px;background:var(--brand);color:#fff;
font:inherit;font-weight:650;cursor:pointer}
button:hover{background:#0d419d}input:hover{border-color:var(--text)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.bad{background:var(--badbg);color:var(--bad);border-radius:6px;padding:8px 10px;margin:12px 0}.after{margin:16px 0 0}
a{color:inherit}`;

const mark = (size: number): Html => html`
<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="7" fill="#104dba"/>
  <path
    d="M11 7h7a4.6 4.6 0 0 1 2.4 8.5A4.9 4.9 0 0 1 18.500 25H11zm3 3v4.500h3.600a2.2 2.2 0 0 0 0-4.500zm0 7.500V22h4.200a2.2 2.2 0 0 0 0-4.500z"
    fill="#fff"/>
</svg>`;
const icon = `data:image/svg+xml,${encodeURIComponent(mark(32).text.trim())}`;

/** A small page of the server itself: sign-in and what can go wrong around it. The nonce opens its style under the content policy. */
export const page = (title: Said | string, body: Html, nonce: string, more = ''): string =>
  html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <title>${title} · Bahi</title>
  <link rel="icon" href="${icon}">
  <style nonce="${nonce}">${asMarkup(style + more)}</style>
</head>
<body>
<main>
${mark(40)}
<h1>${title}</h1>
${body}
</main>
</body>
</html>`.text;

/** What is wrong with a form as a whole. */
export const danger = (wrong: Said | string | undefined): Html | undefined =>
  wrong ? html`<div class="bad" role="alert">${wrong}</div>` : undefined;

/** A way on below a form. */
export const wayOn = (address: string, label: Said): Html =>
  html`<p class="after"><a href="${address}">${label}</a></p>`;

/** What the page of the password shows besides its form. */
interface SignInView {
  readonly email: string;
  readonly wrong: Said | undefined;
  readonly canMail: boolean;
  readonly mayFound: boolean;
  /** Of the demo: it is filled in. */
  readonly demoPassword?: string;
}

export const signInPage = (
  uid: string,
  nonce: string,
  { email, wrong, canMail, mayFound, demoPassword }: SignInView,
): string => {
  const autofocus = html` autofocus`;
  const filledIn = demoPassword && html` value="${demoPassword}"`;
  return page(
    say('Sign in to Bahi'),
    html`
<p>${
      demoPassword
        ? say('The demo is a made-up company. What you enter stays on this installation. Password: {{demoPassword}}', {
            demoPassword,
          })
        : say('Accounts, invoices and stock of your business.')
    }</p>
${danger(wrong)}
<form method="post" action="/sign-in/${encodeURIComponent(uid)}">
  <label for="email">${say('Email')}</label>
  <input id="email" name="email" type="email" autocomplete="username" required value="${email}"${email === '' && autofocus}>
  <label for="password">${say('Password')}</label>
  <input id="password" name="password" type="password" autocomplete="current-password" required${filledIn}${email !== '' && autofocus}>
  <button type="submit">${say('Sign in')}</button>
</form>
${canMail && wayOn('/forgotten', say('Forgot your password?'))}
${mayFound && wayOn('/sign-up', say('Make a new organisation'))}`,
    nonce,
  );
};

/** Between password and session: the code of the authenticator, or one of the recovery codes. */
export const codePage = (uid: string, nonce: string, proof: string, wrong: Said | undefined): string =>
  page(
    say('Second factor'),
    html`
<p>${say('The code that your authenticator shows, or one of your recovery codes.')}</p>
${danger(wrong)}
<form method="post" action="/sign-in/${encodeURIComponent(uid)}">
  <input type="hidden" name="proof" value="${proof}">
  <label for="code">${say('Code')}</label>
  <input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"
    maxlength="20" required autofocus>
  <button type="submit">${say('Sign in')}</button>
</form>
${wayOn('/', say('Start again'))}`,
    nonce,
  );

/** Puts the part of the address behind # into the form, takes it from the address and sends the form. */
const sendToken = asMarkup(`
const token = location.hash.slice(1);
document.getElementById('token').value = token;
history.replaceState(null, '', location.pathname);
if (token) document.forms[0].submit();
`);

/** The first step of a one-time link: the part of the address behind # goes into the form, which sends itself. */
export const openingPage = (title: Said, action: string, nonce: string): string =>
  page(
    title,
    html`
<p>${say('Opening the link …')}</p>
<form method="post" action="${action}">
  <input type="hidden" name="token" id="token">
  <button type="submit">${say('Continue')}</button>
</form>
<script nonce="${nonce}">${sendToken}</script>`,
    nonce,
  );

interface OpenedLink {
  readonly email: string;
  readonly organisationName: string;
  readonly purpose: string;
  readonly asks: 'new' | 'known';
}

const newPasswordFields = (): Html => html`
  <label for="password">${say('New password')}</label>
  <input id="password" name="password" type="password" autocomplete="new-password" required autofocus>
  <label for="again">${say('The same again')}</label>
  <input id="again" name="again" type="password" autocomplete="new-password" required>
  <button type="submit">${say('Set password')}</button>`;

const knownPasswordFields = (): Html => html`
  <label for="password">${say('Password')}</label>
  <input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
  <button type="submit">${say('Join')}</button>`;

/** Asks for a new password, or for the one the person has, and takes up the link. */
export const linkPage = (nonce: string, token: string, link: OpenedLink, wrong: Said | undefined): string => {
  const { email, organisationName } = link;
  const isNew = link.asks === 'new';
  return page(
    link.purpose === 'password' ? say('Set a new password') : say('Join {{organisationName}}', { organisationName }),
    html`
<p>${
      isNew
        ? say('You will sign in as {{email}} with the password you choose here: at least 12 characters.', { email })
        : say('You sign in as {{email}} already: enter the password you have.', { email })
    }</p>
${danger(wrong)}
<form method="post" action="/invitation">
  <input type="hidden" name="token" value="${token}">
  <input type="hidden" name="username" autocomplete="username" value="${email}">
  ${isNew ? newPasswordFields() : knownPasswordFields()}
</form>`,
    nonce,
  );
};

/** Asks whose password is forgotten. */
export const forgottenPage = (nonce: string): string =>
  page(
    say('Forgot your password?'),
    html`
<p>${say('We mail a link with which you set a new one.')}</p>
<form method="post" action="/forgotten">
  <label for="email">${say('Email')}</label>
  <input id="email" name="email" type="email" autocomplete="username" required autofocus maxlength="254">
  <button type="submit">${say('Mail the link')}</button>
</form>`,
    nonce,
  );

/** One sentence and a way on. */
export const sentencePage = (
  title: Said,
  sentence: Said,
  way: readonly [address: string, label: Said],
  nonce: string,
): string => page(title, html`<p>${sentence}</p><p><a href="${way[0]}">${way[1]}</a></p>`, nonce);
