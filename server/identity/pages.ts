/** Text as a page shows it, whatever it holds. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const style = `:root{color-scheme:light dark;--bg:#f6f7f9;--surface:#fff;--line:#dfe3e9;--control:#8a94a6;--text:#1a2230;--muted:#586377;--brand:#104dba;--focus:#104dba;--bad:#9b1c1c;--badbg:#fde6e6}
@media (prefers-color-scheme:dark){:root{--bg:#0f1319;--surface:#171c24;--line:#2c3440;--control:#6b7688;--text:#e6eaf0;--muted:#a0abbb;--focus:#8fb4ff;--bad:#ffaaaa;--badbg:#431a1d}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--text);
font:14px/1.45 "Open Sans",system-ui,sans-serif}
main{width:min(380px,calc(100vw - 24px));background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:28px}
h1{font-size:19px;margin:12px 0 4px}p{margin:0 0 16px;color:var(--muted)}
label{display:block;font-weight:600;font-size:12px;margin:12px 0 4px;color:var(--muted)}
input,select{width:100%;height:40px;border:1px solid var(--control);border-radius:6px;padding:0 10px;font:inherit;font-size:16px;background:var(--surface);color:var(--text)}
label.check{display:flex;gap:8px;align-items:center}.check input{width:20px;height:20px}
button{width:100%;height:40px;margin-top:20px;border:0;border-radius:6px;background:var(--brand);color:#fff;font:inherit;font-weight:650;cursor:pointer}
button:hover{background:#0d419d}input:hover{border-color:var(--text)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.bad{background:var(--badbg);color:var(--bad);border-radius:6px;padding:8px 10px;margin:12px 0}.after{margin:16px 0 0}
a{color:inherit}`;

const mark = (size: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#104dba"/><path d="M11 7h7a4.6 4.6 0 0 1 2.4 8.5A4.9 4.9 0 0 1 18.500 25H11zm3 3v4.500h3.600a2.2 2.2 0 0 0 0-4.500zm0 7.500V22h4.200a2.2 2.2 0 0 0 0-4.500z" fill="#fff"/></svg>`;
const icon = `data:image/svg+xml,${encodeURIComponent(mark(32))}`;

/** A small page of the server itself: sign-in and what can go wrong around it. The nonce opens its style under the content policy. */
export const page = (title: string, body: string, nonce: string, more = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(title)} · Bahi</title><link rel="icon" href="${icon}"><style nonce="${nonce}">${style}${more}</style></head><body><main>${mark(40)}<h1>${escaped(title)}</h1>${body}</main></body></html>`;

export const signInPage = (
  uid: string,
  nonce: string,
  email: string,
  wrong: string | undefined,
  canMail: boolean,
  mayFound: boolean,
): string =>
  page(
    'Sign in to Bahi',
    `<p>Accounts, invoices and stock of your business.</p>${wrong ? `<div class="bad" role="alert">${escaped(wrong)}</div>` : ''}
<form method="post" action="/sign-in/${encodeURIComponent(uid)}"><label for="email">Email</label><input id="email" name="email" type="email" autocomplete="username" required value="${escaped(email)}"${email ? '' : ' autofocus'}>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required${email ? ' autofocus' : ''}><button type="submit">Sign in</button></form>${canMail ? '<p class="after"><a href="/forgotten">Forgot your password?</a></p>' : ''}${mayFound ? '<p class="after"><a href="/sign-up">Make a new organisation</a></p>' : ''}`,
    nonce,
  );

/** Between password and session: the code of the authenticator, or one of the recovery codes. */
export const codePage = (uid: string, nonce: string, proof: string, wrong: string | undefined): string =>
  page(
    'Second factor',
    `<p>The code that your authenticator shows, or one of your recovery codes.</p>${danger(wrong)}<form method="post" action="/sign-in/${encodeURIComponent(uid)}"><input type="hidden" name="proof" value="${escaped(proof)}">
<label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus><button type="submit">Sign in</button></form><p class="after"><a href="/">Start again</a></p>`,
    nonce,
  );

const danger = (wrong: string | undefined): string =>
  wrong ? `<div class="bad" role="alert">${escaped(wrong)}</div>` : '';

/** The first step of a one-time link: the part of the address behind # goes into the form, which sends itself. */
export const openingPage = (title: string, action: string, nonce: string): string =>
  page(
    title,
    `<p>Opening the link …</p><form method="post" action="${action}"><input type="hidden" name="token" id="token"><button type="submit">Continue</button></form>
<script nonce="${nonce}">const token=location.hash.slice(1);document.getElementById('token').value=token;history.replaceState(null,'',location.pathname);if(token)document.forms[0].submit()</script>`,
    nonce,
  );

/** Asks for a new password, or for the one the person has, and takes up the link. */
export const linkPage = (
  nonce: string,
  token: string,
  link: {
    readonly email: string;
    readonly organisationName: string;
    readonly purpose: string;
    readonly asks: 'new' | 'known';
  },
  wrong: string | undefined,
): string => {
  const fresh = link.asks === 'new';
  const title = link.purpose === 'password' ? 'Set a new password' : `Join ${link.organisationName}`;
  const says = fresh
    ? `You will sign in as ${link.email} with the password you choose here: at least 12 characters.`
    : `You sign in as ${link.email} already: enter the password you have.`;
  return page(
    title,
    `<p>${escaped(says)}</p>${danger(wrong)}<form method="post" action="/invitation"><input type="hidden" name="token" value="${escaped(token)}"><input type="hidden" name="username" autocomplete="username" value="${escaped(link.email)}">
<label for="password">${fresh ? 'New password' : 'Password'}</label><input id="password" name="password" type="password" autocomplete="${fresh ? 'new-password' : 'current-password'}" required autofocus>
${fresh ? '<label for="again">The same again</label><input id="again" name="again" type="password" autocomplete="new-password" required>' : ''}<button type="submit">${fresh ? 'Set password' : 'Join'}</button></form>`,
    nonce,
  );
};

/** Asks whose password is forgotten. */
export const forgottenPage = (nonce: string): string =>
  page(
    'Forgot your password?',
    `<p>We mail a link with which you set a new one.</p><form method="post" action="/forgotten"><label for="email">Email</label><input id="email" name="email" type="email" autocomplete="username" required autofocus maxlength="254"><button type="submit">Mail the link</button></form>`,
    nonce,
  );

/** One sentence and a way on. */
export const sentencePage = (
  title: string,
  sentence: string,
  way: readonly [address: string, label: string],
  nonce: string,
): string => page(title, `<p>${escaped(sentence)}</p><p><a href="${way[0]}">${escaped(way[1])}</a></p>`, nonce);
