import { describe, expect, it } from 'vitest';
import { einvoiceStates } from '../../contract/einvoice.ts';
import { showMoment } from '../kit/format.ts';
import { adviceOn } from './advice.ts';
import { pageOf, start } from './pages.ts';
import { dayAfter } from './portalTime.ts';
import { sendAll } from './send.ts';
import { countOf, groups, mayBeSent, sendWord, stateOf, states } from './states.ts';

describe('states', () => {
  it('has words for every state, each in one segment of the inbox', () => {
    expect(Object.keys(states).sort()).toEqual([...einvoiceStates].sort());
    expect(groups.flatMap((group) => group.states).sort()).toEqual([...einvoiceStates].sort());
    expect(new Set(einvoiceStates.map((state) => stateOf(state).word)).size).toBe(einvoiceStates.length);
  });
  it('counts a segment by its states, and all of them together', () => {
    const counts = { failed: 2, unclear: 1, registered: 40, void: 3 };
    expect(groups.map((group) => countOf(group, counts))).toEqual([46, 3, 0, 40, 3]);
  });
  it('offers sending where a person has to act, or may hurry what waits', () => {
    expect(sendWord({ state: 'failed', error: 'x' })).toBe('Send again');
    expect(sendWord({ state: 'unclear', error: null })).toBe('Send again');
    expect(sendWord({ state: 'queued', error: 'Busy' })).toBe('Send now');
    expect(sendWord({ state: 'queued', error: null })).toBeUndefined();
    expect(sendWord({ state: 'registered', error: null, signed: false })).toBe('Fetch signed copy');
    expect(stateOf('registered', false).word).toBe('No signed copy');
    for (const state of ['registered', 'cancelled', 'void']) expect(sendWord({ state, error: null })).toBeUndefined();
    expect([null, 'failed', 'unclear', 'queued', 'registered'].map((einvoice) => mayBeSent({ einvoice }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('pages of several states', () => {
  const counts = {};
  const row = (id: string) => ({ id }) as never;
  it('goes on to the next state when one ends, and over those without rows', async () => {
    const asked: unknown[] = [];
    const answers = [
      { rows: [row('a')], after: 'x', counts },
      { rows: [row('b')], after: null, counts },
      { rows: [], after: null, counts },
      { rows: [row('c')], after: null, counts },
    ];
    const ask = async (what: unknown) => {
      asked.push(what);
      return answers[asked.length - 1] ?? { rows: [], after: null, counts };
    };
    const of = ['failed', 'unclear', 'queued'] as const;
    const first = await pageOf(of, start, ask);
    expect(first.next).toEqual({ at: 0, after: 'x' });
    const second = await pageOf(of, first.next ?? start, ask);
    expect(second.next).toEqual({ at: 1, after: '' });
    const third = await pageOf(of, second.next ?? start, ask);
    expect(third.rows).toEqual([{ id: 'c' }]);
    expect(third.next).toBeUndefined();
    expect(asked).toEqual([
      { state: 'failed' },
      { state: 'failed', after: 'x' },
      { state: 'unclear' },
      { state: 'queued' },
    ]);
  });
  it('asks once and without a state for all', async () => {
    const page = await pageOf([], start, async (asked) => ({
      rows: [],
      after: null,
      counts: { failed: Object.keys(asked).length },
    }));
    expect(page).toEqual({ rows: [], after: null, counts: { failed: 0 }, next: undefined });
  });
});

describe('sending', () => {
  const ids = Array.from({ length: 250 }, (_, at) => String(at));
  it('sends a hundred at a time and sums what came of it', async () => {
    const sizes: number[] = [];
    const sent = await sendAll(ids, async (part) => {
      sizes.push(part.length);
      return { queued: part.length - 1, skipped: [{ id: part[0] ?? '', number: 'X', why: 'it has its IRN' }] };
    });
    expect(sizes).toEqual([100, 100, 50]);
    expect(sent.queued).toBe(247);
    expect(sent.skipped).toHaveLength(3);
  });
  it('keeps what went before when a later part is refused', async () => {
    let calls = 0;
    const sent = await sendAll(ids, async (part) => {
      calls += 1;
      if (calls === 2) throw new Error('gone');
      return { queued: part.length, skipped: [] };
    });
    expect(calls).toBe(2);
    expect(sent.queued).toBe(100);
    expect(sent.refused).toEqual(new Error('gone'));
  });
});

describe('advice', () => {
  it('is found by code, by range and for the first known of several', () => {
    expect(adviceOn('1010')?.screen).toBe('NIC Configuration');
    expect(adviceOn('2184')?.says).toContain('sums');
    expect(adviceOn('7777, 3029')?.screen).toBe('Party Master');
    expect(adviceOn('credentials')?.screen).toBe('NIC Configuration');
    expect(adviceOn('7777')).toBeUndefined();
    expect(adviceOn(null)).toBeUndefined();
  });
});

describe('time', () => {
  it('shows moments of the portal and of our own in Indian time', () => {
    expect(showMoment('2026-11-21 10:05:00')).toBe('21-11-2026 10:05');
    expect(showMoment('2026-11-20T19:10:00.000Z')).toBe('21-11-2026 00:40');
    expect(showMoment('2026-11-20T19:10:00.000Z', 1)).toBe('11-21-2026 00:40');
    expect(showMoment(null)).toBe('–');
  });
  it('ends the 24 hours a day later at the same time', () => {
    expect(dayAfter('2026-11-30 23:59:10')).toBe('2026-12-01 23:59:10');
    expect(dayAfter('soon')).toBeNull();
  });
});
