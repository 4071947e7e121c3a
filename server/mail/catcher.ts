import type { AddressInfo } from 'node:net';
import type { Clock } from '../kit/clock.ts';
import { type Message, readMessage } from './message.ts';

/** A mail that was caught, with whom it would have gone to. */
export interface Caught {
  readonly number: number;
  readonly at: number;
  readonly recipients: readonly string[];
  readonly message: Message;
  readonly raw: Buffer;
}

/** A mail server that delivers nothing: it keeps what it gets in memory, the last ones only. */
export interface Catcher {
  readonly url: string;
  /** Newest first. */
  mails(): readonly Caught[];
  stop(): Promise<void>;
}

const MOST_MAILS = 200;
const MOST_BYTES = 64 * 1024 * 1024;

/** Catches mail on a free port of this machine, for trying the product out without a mail server. */
export async function catchMail(clock: Clock): Promise<Catcher> {
  let caught: readonly Caught[] = [];
  let count = 0;
  const keep = (recipients: readonly string[], raw: Buffer) => {
    count += 1;
    let bytes = 0;
    caught = [{ number: count, at: clock.now(), recipients, message: readMessage(raw), raw }, ...caught]
      .slice(0, MOST_MAILS)
      .filter((mail, i) => {
        bytes += mail.raw.length;
        return i === 0 || bytes <= MOST_BYTES;
      });
  };
  const { SMTPServer } = await import('smtp-server'); // only where mail is caught
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MOST_BYTES,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('The mail is too large'), { responseCode: 552 }));
        keep(
          session.envelope.rcptTo.map(({ address }) => address),
          Buffer.concat(chunks),
        );
        done();
      });
    },
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  // a client that hangs up in the middle is no trouble of ours
  server.on('error', () => undefined);
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: () => caught,
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}
