import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, longest first: begun late, one of them would keep a run waiting for it alone. Seconds beside two others. */
const longest: Readonly<Record<string, number>> = {
  'server/documents/machine/machine.test.ts': 122,
  'server/access/isolation.test.ts': 70,
  'server/trust/killed.test.ts': 64,
  'server/kit/database/every-table.test.ts': 60,
  'server/trust/attacks.test.ts': 53,
  'server/trust/limits.test.ts': 31,
  'server/access/matrix.test.ts': 28,
  'server/access/costs.test.ts': 30,
  'server/eway/eway.test.ts': 28,
  'server/einvoice/einvoice.test.ts': 25,
  'server/kit/database/invariants.test.ts': 22,
  'server/documents/drafts/approval-kinds.test.ts': 15,
  'server/trust/faults.test.ts': 12,
  'server/trust/disk.test.ts': 9,
  'server/kit/database/sql.test.ts': 8,
  'server/process/workers.test.ts': 8,
  'server/trust/small-disk.test.ts': 6,
  'server/reports/reports.test.ts': 6,
  'e2e/documents/keys.test.ts': 75,
  'e2e/documents/kinds.test.ts': 69,
  'e2e/shell/screens.test.ts': 55,
  'e2e/editor/work.test.ts': 51,
  'e2e/money/till.test.ts': 46,
  'e2e/shell/shell.test.ts': 38,
  'e2e/stock/stock.test.ts': 34,
  'e2e/tax/einvoice.test.ts': 34,
  'e2e/money/payments.test.ts': 29,
  'e2e/shell/rights.test.ts': 28,
  'e2e/documents/abroad.test.ts': 28,
  'e2e/documents/workflow.test.ts': 27,
  'e2e/documents/prices.test.ts': 21,
  'e2e/start/set-up.test.ts': 21,
  'e2e/documents/conversions.test.ts': 20,
};

const secondsOf = ({ moduleId }: TestSpecification): number =>
  Object.entries(longest).find(([file]) => moduleId.endsWith(`/${file}`))?.[1] ?? 0;

/** The longest first, the others as ever. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
