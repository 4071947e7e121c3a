import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, longest first: begun late, one of them would keep a run waiting for it alone. Seconds on two cores. */
const longest: Readonly<Record<string, number>> = {
  'server/documents/machine/machine.test.ts': 124,
  'server/access/isolation.test.ts': 85,
  'server/limits.test.ts': 31,
  'server/killed.test.ts': 40,
  'server/ewaybill/ewaybill.test.ts': 27,
  'server/einvoice/einvoice.test.ts': 23,
  'server/attacks.test.ts': 22,
  'server/disk.test.ts': 18,
  'server/small-disk.test.ts': 16,
  'server/faults.test.ts': 19,
  'server/kit/invariants.test.ts': 18,
  'server/access/matrix.test.ts': 17,
  'server/documents/approval-kinds.test.ts': 15,
  'server/reports/reports.test.ts': 13,
  'e2e/kinds.test.ts': 120,
  'e2e/keys.test.ts': 90,
  'e2e/work.test.ts': 75,
  'e2e/till.test.ts': 58,
  'e2e/einvoice.test.ts': 58,
  'e2e/stock.test.ts': 51,
  'e2e/screens.test.ts': 50,
  'e2e/rights.test.ts': 45,
  'e2e/prices.test.ts': 42,
  'e2e/abroad.test.ts': 42,
  'e2e/set-up.test.ts': 39,
  'e2e/conversions.test.ts': 32,
};

const secondsOf = ({ moduleId }: TestSpecification): number =>
  Object.entries(longest).find(([file]) => moduleId.endsWith(`/${file}`))?.[1] ?? 0;

/** The longest first, the others as ever. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
