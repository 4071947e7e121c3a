/** What a page of ours may load and where its forms may lead: only here, and to the issuer when that is another place. */
export const policy = (nonce: string, issuer: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    'frame-src blob:',
    "worker-src 'self'",
    "manifest-src 'self'",
    `form-action 'self'${issuer && ` ${new URL(issuer).origin}`}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
