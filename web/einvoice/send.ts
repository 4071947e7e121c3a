import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { einvoiceCalls } from '../../contract/einvoice.ts';
import { api } from '../kit/server/client.ts';

export type Answer = z.output<(typeof einvoiceCalls)['GenerateIRNNumber']['details']>;

/** What came of sending, for `SendAnswer`; a part that was refused leaves what went before. */
export interface Sent extends Answer {
  readonly refused?: unknown;
}

const MOST = 100;

/** Sends any number of documents, a hundred a call. */
export const sendAll = async (
  ids: readonly string[],
  send: (ids: string[]) => Promise<Answer> = (part) => api.GenerateIRNNumber({ ids: part }),
): Promise<Sent> => {
  let queued = 0;
  let skipped: Answer['skipped'] = [];
  for (let from = 0; from < ids.length; from += MOST) {
    try {
      const answer = await send(ids.slice(from, from + MOST));
      queued += answer.queued;
      skipped = [...skipped, ...answer.skipped];
    } catch (refused) {
      return { queued, skipped, refused };
    }
  }
  return { queued, skipped };
};

/** Sending from a screen: what came of it stays to be read until it is put away or the next one is sent. */
export const useSend = () => {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<Sent | null>(null);
  const send = async (ids: readonly string[]): Promise<void> => {
    if (busy || ids.length === 0) return;
    setBusy(true);
    setSent(null);
    try {
      setSent(await sendAll(ids));
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } finally {
      setBusy(false);
    }
  };
  return { busy, sent, send, clear: () => setSent(null) };
};
