/** A mail ready to go. */
export interface Outgoing {
  readonly id: string;
  readonly senderName: string;
  readonly replyTo: string | undefined;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly message: string;
  readonly papers: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/** The way out: hands a mail to the mail server. Answers which addresses it did not take; throws `NotSent` when it took none. */
export interface PostOffice {
  send(mail: Outgoing): Promise<{ readonly refused: readonly string[] }>;
}

/** Why a mail did not go out. `final`: the server refused it for good, trying again is of no use. */
export class NotSent extends Error {
  readonly final: boolean;
  constructor(reason: string, final: boolean) {
    super(reason);
    this.final = final;
  }
}

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);

/** What the mail server says is shown to people: one line, printable, not too long. */
const oneLine = (text: string): string =>
  [...text.normalize('NFC')]
    .map((c) => ((c.codePointAt(0) ?? 0) < 32 ? ' ' : c))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

/** The address mails come from: named in SMTP_URL (`?from=`), else its user, else one at the installation's own host. */
const senderOf = (url: URL, publicUrl: string): string => {
  const user = decodeURIComponent(url.username);
  const { hostname } = new URL(publicUrl);
  return (
    url.searchParams.get('from') ??
    (user.includes('@') ? user : `no-reply@${/[a-z]/i.test(hostname) ? hostname : 'localhost'}`)
  );
};

/** A post office over SMTP. A password goes to another machine only over TLS. */
export function postOffice(smtpUrl: string, publicUrl: string, seconds = 30): PostOffice {
  const url = new URL(smtpUrl);
  const sender = senderOf(url, publicUrl);
  const secure = url.protocol === 'smtps:';
  const near = isLoopback(url.hostname);
  const wait = seconds * 1000;
  // loaded with the first mail: a server at rest does not hold it in memory
  const open = () =>
    import('nodemailer').then(({ createTransport }) =>
      createTransport({
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: Number(url.port) || (secure ? 465 : 587),
        secure,
        ignoreTLS: near && !secure,
        requireTLS: !near && url.username !== '',
        ...(url.username && {
          auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
        }),
        connectionTimeout: wait,
        greetingTimeout: wait,
        socketTimeout: wait,
        dnsTimeout: wait,
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    );
  let opened: ReturnType<typeof open> | undefined;
  return {
    send: async (mail) => {
      try {
        opened ??= open();
        const answer = await (await opened).sendMail({
          from: { name: mail.senderName, address: sender },
          ...(mail.replyTo && { replyTo: mail.replyTo }),
          to: [...mail.to],
          cc: [...mail.cc],
          subject: mail.subject,
          text: mail.message,
          // the same at every attempt: who gets it twice can tell
          messageId: `<${mail.id}@${sender.split('@').at(-1)}>`,
          attachments: mail.papers.map(({ name, bytes }) => ({
            filename: name,
            content: bytes,
            contentType: 'application/pdf',
          })),
        });
        return { refused: answer.rejected.map((one: unknown) => String(one)) };
      } catch (error) {
        throw whyNot(error);
      }
    },
  };
}

function whyNot(error: unknown): NotSent {
  const {
    code = '',
    responseCode = 0,
    response = '',
    message = '',
  } = error as { code?: string; responseCode?: number; response?: string; message?: string };
  if (code === 'EAUTH') return new NotSent('The mail server refused the name or password of this installation', false);
  if (responseCode >= 400)
    return new NotSent(
      `The mail server refused it: ${oneLine(response)}`,
      responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE'),
    );
  if (code === 'ETIMEDOUT') return new NotSent('The mail server did not answer in time', false);
  if (['ECONNECTION', 'ESOCKET', 'EDNS', 'ECONNREFUSED'].includes(code))
    return new NotSent('The mail server cannot be reached', false);
  return new NotSent(oneLine(message), false);
}
