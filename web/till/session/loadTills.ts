import { Refused } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { browserBills } from '../bills/billStore.ts';
import { heardTime } from '../clock.ts';
import type { TillView } from '../counter.ts';

/**
 * The tills as the server has them now; where it cannot be reached, as it had them last. A browser that keeps nothing
 * has no till that is held here.
 */
export async function loadTills(owner: string): Promise<readonly TillView[]> {
  const device = await browserBills.device().catch(() => undefined);
  try {
    const tills = await api.ListTills(device ? { device } : {});
    const [first] = tills;
    if (first) heardTime(first.now);
    await browserBills.keepTills(owner, tills).catch(() => undefined);
    return tills;
  } catch (problem) {
    if (!(problem instanceof Refused) || problem.status !== 0) throw problem;
    const kept = (await browserBills.tillsOf(owner).catch(() => undefined)) as readonly TillView[] | undefined;
    if (!kept) throw problem;
    return kept;
  }
}
