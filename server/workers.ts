import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

export interface Workers {
  stop(): Promise<void>;
}

/** A process that dies is replaced, but not in a storm. */
const PAUSE = 500;
const ASKED = 'bahi:metrics';

/**
 * Runs this program that many times on one port. The workers are told where everything is by their environment, like every
 * process on a given database; this one only watches over them. Fails when a worker ends before it is ready.
 */
export async function startWorkers(count: number, environment: Readonly<Record<string, string>>): Promise<Workers> {
  const all = new AggregatorRegistry();
  let stopping = false;
  const fork = (): Worker => {
    const worker = cluster.fork(environment);
    worker.on('message', (message: { readonly asked?: string; readonly id?: number }) => {
      if (message.asked !== ASKED) return;
      const answer = (text: string) => worker.isConnected() && worker.send({ answered: message.id, text });
      all.clusterMetrics().then(answer, () => answer(''));
    });
    return worker;
  };
  const isReady = (worker: Worker) =>
    new Promise<void>((ready, failed) => {
      worker.on('message', (message: { readonly ready?: boolean }) => message.ready && ready());
      worker.once('exit', () => failed(new Error('A worker could not be started.')));
    });
  cluster.on('exit', (worker) => {
    if (!stopping && started.has(worker.id)) setTimeout(() => !stopping && started.add(fork().id), PAUSE);
    started.delete(worker.id);
  });
  const started = new Set<number>();
  const stop = async () => {
    stopping = true;
    const rest = Object.values(cluster.workers ?? {}).filter((w): w is Worker => w !== undefined && !w.isDead());
    await Promise.all(
      rest.map((worker) => {
        const gone = new Promise<void>((done) => worker.once('exit', () => done()));
        worker.process.kill('SIGTERM');
        return gone;
      }),
    );
  };
  const first = Array.from({ length: count }, fork);
  try {
    await Promise.all(first.map(isReady));
  } catch (error) {
    await stop();
    throw error;
  }
  for (const worker of first) started.add(worker.id);
  return { stop };
}

/** Metrics of this process, or of all workers together when it is one of them. */
export function metricsOf(own: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => own.metrics();
  AggregatorRegistry.setRegistries([own]);
  new AggregatorRegistry(); // answers the question for this process's share
  let count = 0;
  return () =>
    new Promise((ready) => {
      count += 1;
      const id = count;
      const hear = (message: { readonly answered?: number; readonly text?: string }) => {
        if (message.answered !== id) return;
        process.off('message', hear);
        ready(message.text ?? '');
      };
      process.on('message', hear);
      process.send?.({ asked: ASKED, id });
    });
}
