import type { Session } from '../../contract/session.ts';

/** As much of a session as the editor's model reads: one regular registration in Karnataka, and these settings. */
export const editorSession = (settings: object = {}): Session =>
  ({
    ...{ today: '2026-11-21', locations: [], physicalLocation: null, taxLocation: null, settings },
    limits: { discount: null, days: null, cost: 'all' },
    registrations: [
      {
        ...{ id: 'ka', state: '29', kind: 'regular', statuses: [], stops: [] },
        bound: { sixDigits: [], portalDaysFrom: null, deductsOnGoods: [] },
      },
    ],
  }) as unknown as Session;
