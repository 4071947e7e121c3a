// biome-ignore-all format: a table reads best with a row on a line
import type { Dated } from './withholding.ts';

/**
 * Supplies on which the recipient pays the tax (sections 9(3) and 9(4) of the CGST Act), as far as a code or a section of TDS tells them: services of
 * notification 13/2017-CT(R) (10/2017-IT(R)) under the codes of notification 11/2017-CT(R), annexure, and goods of 4/2017-CT(R).
 * Left out: what neither tells (development rights), what only banks, insurers or promoters receive, and silk yarn,
 * of which no code tells who has made it. Rates: notification 11/2017-CT(R), as amended by 20/2017, 22/2019 and 15/2025-CT(R), for services;
 * 1/2017-CT(R) and from 22 September 2025 9/2025-CT(R) for goods. As of November 2026.
 */
export interface ReverseChargeRow extends Dated {
  readonly what: string;
  readonly source: string;
  /** The total rates that it bears, in ten-thousandths of a percent: what the recipient pays. */
  readonly rates: readonly number[];
  readonly hsn: readonly string[];
  /** No code tells it: this section does, under which income-tax is deducted. */
  readonly tdsSection?: string;
  /** Of these goods only scrap, as the item says. */
  readonly scrap?: true;
  /** Who supplies it; left out, anybody. */
  readonly supplier?: 'unregistered' | 'noCompany' | 'government';
  /** The recipient is a company, or a company or firm. */
  readonly recipient?: 'company' | 'companyOrFirm';
  /** A recipient under composition does not pay it. */
  readonly notComposition?: true;
  /** A shorter code than these is also of services whose supplier pays the tax: where that is charged, nobody is asked. */
  readonly whole?: true;
  /** A supplier who charges tax of this rate or more has chosen to pay it; in ten-thousandths of a percent. */
  readonly chosenFrom?: number;
}

const [five, eighteen] = [50_000, 180_000];
const scrapHeadings = ['7204', '7404', '7503', '7602', '7802', '7902', '8002'] as const;
const metals = ['72', '73', '74', '75', '76', '78', '79', '80', '81'] as const;

export const reverseCharge: readonly ReverseChargeRow[] = [
  { what: 'Transport of goods by road by a goods transport agency', source: '13/2017-CT(R), entry 1', rates: [five], hsn: ['996511', '996791'], chosenFrom: 120_000, from: '2017-07-01' },
  { what: 'Legal services and arbitration', source: '13/2017-CT(R), entries 2 and 3', rates: [eighteen], hsn: ['99821'], whole: true, from: '2017-07-01' },
  { what: 'Sponsorship', source: '13/2017-CT(R), entry 4', rates: [eighteen], hsn: ['998397'], recipient: 'companyOrFirm', from: '2017-07-01', to: '2025-01-15' },
  { what: 'Sponsorship', source: '13/2017-CT(R), entry 4, as amended by 7/2025-CT(R)', rates: [eighteen], hsn: ['998397'], supplier: 'noCompany', recipient: 'companyOrFirm', from: '2025-01-16' },
  { what: 'Services of government', source: '13/2017-CT(R), entry 5', rates: [eighteen], hsn: ['9991'], supplier: 'government', from: '2017-07-01' },
  { what: 'Rent of immovable property from government', source: '13/2017-CT(R), entry 5A, by 3/2018-CT(R)', rates: [eighteen], hsn: ['9972'], supplier: 'government', from: '2018-01-25' },
  { what: 'Rent of a dwelling', source: '13/2017-CT(R), entry 5AA, by 5/2022-CT(R)', rates: [eighteen], hsn: ['997211'], from: '2022-07-18' },
  { what: 'Rent of immovable property from who is not registered', source: '13/2017-CT(R), entry 5AB, by 9/2024-CT(R)', rates: [eighteen], hsn: ['997212'], supplier: 'unregistered', from: '2024-10-10', to: '2025-01-15' },
  { what: 'Rent of immovable property from who is not registered', source: '13/2017-CT(R), entry 5AB, as amended by 7/2025-CT(R)', rates: [eighteen], hsn: ['997212'], supplier: 'unregistered', notComposition: true, from: '2025-01-16' },
  { what: 'Services of a director', source: '13/2017-CT(R), entry 6', rates: [eighteen], hsn: [], tdsSection: '194J(1)(ba)', recipient: 'company', from: '2017-07-01' },
  { what: 'Security personnel', source: '13/2017-CT(R), entry 14, by 29/2018-CT(R)', rates: [eighteen], hsn: ['998525'], supplier: 'noCompany', notComposition: true, from: '2019-01-01' },
  { what: 'Renting of motor vehicles', source: '13/2017-CT(R), entry 15, by 22/2019-CT(R)', rates: [five], hsn: ['996601'], supplier: 'noCompany', recipient: 'company', chosenFrom: 120_000, from: '2019-10-01' },
  { what: 'Cashew nuts in shell', source: '4/2017-CT(R), entry 1', rates: [five], hsn: ['0801'], supplier: 'unregistered', from: '2017-07-01' },
  { what: 'Bidi wrapper leaves', source: '4/2017-CT(R), entry 2', rates: [eighteen], hsn: ['14049010'], supplier: 'unregistered', from: '2017-07-01', to: '2025-09-21' },
  { what: 'Bidi wrapper leaves', source: '4/2017-CT(R), entry 2', rates: [five], hsn: ['14049010'], supplier: 'unregistered', from: '2025-09-22' },
  { what: 'Tobacco leaves', source: '4/2017-CT(R), entry 3', rates: [five], hsn: ['2401'], supplier: 'unregistered', from: '2017-07-01' },
  { what: 'Raw cotton', source: '4/2017-CT(R), entry 4A, by 43/2017-CT(R)', rates: [five], hsn: ['5201'], supplier: 'unregistered', from: '2017-11-15' },
  { what: 'Metal scrap', source: '4/2017-CT(R), entry 8, by 6/2024-CT(R)', rates: [eighteen], hsn: scrapHeadings, supplier: 'unregistered', from: '2024-10-10' },
  { what: 'Metal scrap', source: '4/2017-CT(R), entry 8, by 6/2024-CT(R)', rates: [eighteen], hsn: metals, scrap: true, supplier: 'unregistered', from: '2024-10-10' },
];
