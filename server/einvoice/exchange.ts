import { fetchLimited } from '../kit/outgoing.ts';

/** No answer, or none that can be read: whether the portal has acted is not known. */
export class Unclear extends Error {}

export interface Line {
  readonly url: string;
  /** What a provider in between wants with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds after which an answer is given up; 20 seconds by default. */
  readonly patience?: number;
}

/** One call over the line; answers the JSON object that came back, whatever it says. */
export async function exchange(
  line: Line,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    const answer = await fetchLimited(
      `${line.url}${path}`,
      {
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', ...line.headers, ...headers },
        ...(body && { body: JSON.stringify(body) }),
      },
      line.patience === undefined ? {} : { patience: line.patience },
    );
    text = await answer.text();
  } catch (error) {
    throw new Unclear(
      (error as Error).name === 'TimeoutError'
        ? 'The portal did not answer in time'
        : error instanceof RangeError
          ? 'The portal answered with more than any answer has'
          : 'The portal could not be reached',
    );
  }
  try {
    const read: unknown = JSON.parse(text);
    if (read !== null && typeof read === 'object') return read as Readonly<Record<string, unknown>>;
  } catch {
    // an outage answers with a page for people
  }
  throw new Unclear('The portal answered with something that is no answer');
}
