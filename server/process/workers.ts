import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

export interface Workers {
  stop(): Promise<void>;
}

/** A process that dies is replaced, but not in a storm. */
const PAUSE = 500;
const ASKED = 'bahi:metrics';

/**
 * Runs this program that many times on one port. The workers get all addresses from their environment, like every
 * process on a given database; this one only watches over them. Fails when a worker ends before it is ready. `patience`:
 * milliseconds that a worker has to finish what it began once it gets the signal to stop.
 */
export async function startWorkers(
  count: number,
  environment: Readonly<Record<string, string>>,
  patience: number,
): Promise<Workers> {
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
    await endProcesses(
      rest.map((worker) => worker.process),
      patience,
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

/** Asks processes to end and waits for them; one that has not ended after `patience` milliseconds is ended. What it had posted is kept. */
export async function endProcesses(processes: readonly ChildProcess[], patience: number): Promise<void> {
  await Promise.all(
    processes.map((process) => {
      if (process.exitCode !== null || process.signalCode !== null) return undefined;
      const gone = new Promise<void>((done) => process.once('exit', () => done()));
      const late = setTimeout(() => process.kill('SIGKILL'), patience);
      process.kill('SIGTERM');
      return gone.finally(() => clearTimeout(late));
    }),
  );
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
