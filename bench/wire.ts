import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { type CallName, calls } from '../contract/calls.ts';
import type { Operation, Sent } from '../contract/contract.ts';

/** One connection of a signed-in client that asks one thing at a time. As thin as can be: its own time counts against the product. */
export interface Line {
  ask<N extends CallName>(name: N, input: Sent<(typeof calls)[N]>): Promise<string>;
  end(): void;
}

const HEAD_END = '\r\n\r\n';

/** Opens a kept-alive connection; an answer other than 200 is an error with its text. */
export async function openLine(url: string, cookie: string): Promise<Line> {
  const { hostname, port, host } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((open, failed) => socket.once('connect', open).once('error', failed));
  let text = '';
  let waiting: { readonly done: (body: string) => void; readonly failed: (error: Error) => void } | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    text += part;
    const at = text.indexOf(HEAD_END);
    if (at < 0) return;
    const length = /content-length: (\d+)/i.exec(text.slice(0, at))?.[1];
    const end = at + HEAD_END.length + Number(length);
    if (length === undefined) return waiting?.failed(new Error(`an answer without a length: ${text.slice(0, at)}`));
    if (text.length < end) return;
    const body = Buffer.from(text.slice(at + HEAD_END.length, end), 'latin1').toString();
    const status = text.slice(9, 12);
    text = text.slice(end);
    const asked = waiting;
    waiting = undefined;
    if (status === '200') asked?.done(body);
    else asked?.failed(new Error(`${status} ${body}`));
  });
  socket.on('error', (error) => waiting?.failed(error));
  socket.on('close', () => waiting?.failed(new Error('the connection was closed')));
  return {
    ask: (name, input) =>
      new Promise((done, failed) => {
        if (socket.destroyed) return failed(new Error('the connection was closed'));
        waiting = { done, failed };
        socket.write(request(name, calls[name], input, { host, cookie }));
      }),
    end: () => void socket.destroy(),
  };
}

function request(
  name: string,
  operation: Operation,
  input: unknown,
  { host, cookie }: { readonly host: string; readonly cookie: string },
): string {
  const common = `host: ${host}\r\ncookie: ${cookie}\r\nx-requested-by: bahi\r\n`;
  const path = `/api/${operation.service}/${name}`;
  if (operation.method === 'GET') {
    const query = new URLSearchParams(Object.entries(input as Record<string, string>));
    return `GET ${path}?${query} HTTP/1.1\r\n${common}\r\n`;
  }
  const body = JSON.stringify(input);
  const key = operation.idempotent ? `idempotency-key: ${randomUUID()}\r\n` : '';
  const content = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${common}${key}${content}\r\n${body}`;
}

/** What a call's answer holds. */
export const detailsOf = <T>(body: string): T => (JSON.parse(body) as { details: T }).details;

export interface Counter {
  readonly port: number;
  /** Statements that were sent through since the last time. */
  taken(): number;
  end(): void;
}

/** Stands between a program and PostgreSQL's socket, and counts what is executed: the letters E and Q of its protocol. */
export function countStatements(socketPath: string): Promise<Counter> {
  let statements = 0;
  const server = net.createServer((client) => {
    const database = net.connect(socketPath);
    let rest = Buffer.alloc(0);
    let isStarted = false;
    client.on('data', (part: Buffer) => {
      database.write(part);
      rest = Buffer.concat([rest, part]);
      for (;;) {
        const head = isStarted ? 1 : 0; // the first message has no letter
        if (rest.length < head + 4 || rest.length < head + rest.readUInt32BE(head)) return;
        if (isStarted && 'EQ'.includes(String.fromCharCode(rest[0] ?? 0))) statements += 1;
        rest = rest.subarray(head + rest.readUInt32BE(head));
        isStarted = true;
      }
    });
    database.pipe(client);
    const close = () => {
      client.destroy();
      database.destroy();
    };
    for (const one of [client, database]) one.on('error', () => undefined).on('close', close);
  });
  return new Promise((listening) => {
    server.listen(0, '127.0.0.1', () =>
      listening({
        port: (server.address() as net.AddressInfo).port,
        taken: () => {
          const n = statements;
          statements = 0;
          return n;
        },
        end: () => void server.close(),
      }),
    );
  });
}
