/** What goes out to another server is given up when its answer is longer, or takes longer, than anything that is waited for. */
export interface Limits {
  /** Bytes of the answer, unpacked. */
  readonly most?: number;
  /** Milliseconds until the whole answer is there. */
  readonly patience?: number;
}

/** The largest invoice that a portal takes has 2 MB; signed, sealed and written as text twice it is a few times as much. */
export const MOST_ANSWERED = 8 * 1024 * 1024;
const PATIENCE = 20_000;

/** As `fetch`, but reading an answer that is too long, or too late, fails, and no redirect is followed. */
export async function fetchLimited(
  url: string | URL,
  init: RequestInit = {},
  { most = MOST_ANSWERED, patience = PATIENCE }: Limits = {},
): Promise<Response> {
  // timers of our own: the signal of `AbortSignal.timeout` is held weakly, and never fires once it was collected
  const ending = new AbortController();
  const abort = () => ending.abort(init.signal?.reason);
  if (init.signal?.aborted) abort();
  init.signal?.addEventListener('abort', abort, { once: true });
  const tooLate = new DOMException(`The answer took longer than ${patience} ms`, 'TimeoutError');
  const until = performance.now() + patience;
  const waiting = setTimeout(() => ending.abort(tooLate), patience);
  const answer = await fetch(url, { redirect: 'error', ...init, signal: ending.signal }).finally(() =>
    clearTimeout(waiting),
  );
  const { body, status, statusText, headers } = answer;
  if (!body) return answer;
  let read = 0;
  let reading: NodeJS.Timeout | undefined;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      reading = setTimeout(() => controller.error(tooLate), Math.max(0, until - performance.now()));
      reading.unref();
    },
    transform(part, controller) {
      read += part.byteLength;
      if (read > most) controller.error(new RangeError(`The answer has more than ${most} bytes`));
      else controller.enqueue(part);
    },
    flush: () => clearTimeout(reading),
  });
  return new Response(body.pipeThrough(counted), { status, statusText, headers });
}
