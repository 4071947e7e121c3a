import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';

/** How long what is being answered may take once nothing new comes in. */
const PATIENCE = 10_000;

/** What lets a server go without cutting anybody off. */
export interface Drain {
  /** Sees a request come in. */
  sees(request: IncomingMessage, response: ServerResponse): void;
  /** Whether the server is about to go: whoever shares out requests sends no more. */
  isGoing(): boolean;
  /**
   * Says for so many seconds that it goes and answers on as usual, so that whoever shares out requests goes elsewhere. Then
   * it takes no more connections, and each that is there ends with its next answer; one that rests is waited for a moment,
   * for somebody may just be asking on it.
   */
  begin(server: Server, seconds: number, endStreams: () => void): Promise<void>;
}

export function drain(): Drain {
  const answering = new Set<ServerResponse>();
  const lines = new Set<Socket>();
  let going = false;
  let ending = false;
  const pause = (milliseconds: number) => new Promise((over) => setTimeout(over, milliseconds));
  return {
    sees: ({ socket }, response) => {
      if (ending) response.shouldKeepAlive = false;
      answering.add(response);
      response.once('close', () => answering.delete(response));
      if (lines.has(socket)) return;
      lines.add(socket);
      socket.once('close', () => lines.delete(socket));
    },
    isGoing: () => going,
    begin: async (server, seconds, endStreams) => {
      going = true;
      if (seconds > 0) await pause(seconds * 1000);
      ending = true;
      // no new connections; the one of Node's web server would also cut those that rest
      net.Server.prototype.close.call(server);
      for (const response of answering) if (!response.headersSent) response.shouldKeepAlive = false;
      endStreams();
      const began = performance.now();
      const isResting = () => performance.now() - began < (seconds > 0 ? 1000 : 100);
      while ((answering.size > 0 || (lines.size > 0 && isResting())) && performance.now() - began < PATIENCE)
        await pause(10);
    },
  };
}
