// biome-ignore-all format: a table reads best with a row on a line

/**
 * Total rates of services by SAC, in ten-thousandths of a percent, with the days on which they are in force: notification
 * 11/2017-CT(R) as amended, from 22 September 2025 by 15/2025-CT(R); codes of its annexure. Of several rows the one with the longest
 * code counts. Left out are services whose rate no code tells: construction (9954), leasing of goods at the rate of the goods (9973),
 * health (9993) and sewage and waste (9994). As of November 2026.
 */
export interface ServiceRateRow {
  readonly hsn: readonly string[];
  readonly rates: readonly number[];
  readonly from: string;
  readonly to?: string;
}

const [five, twelve, eighteen, demerit] = [50_000, 120_000, 180_000, 400_000];
const start = '2017-07-01';
/** The last day before the slabs of 12 % and 28 % ended, and the day after it. */
const [last, next] = ['2025-09-21', '2025-09-22'];

export const serviceRates: readonly ServiceRateRow[] = [
  { hsn: ['9961', '9962'], rates: [eighteen], from: start },
  { hsn: ['9963', '9964', '9965', '9966'], rates: [five, twelve, eighteen], from: start, to: last },
  { hsn: ['9963', '9964', '9965', '9966'], rates: [five, eighteen], from: next },
  { hsn: ['9967', '9968', '9971', '9972'], rates: [eighteen], from: start },
  { hsn: ['996791'], rates: [five, twelve, eighteen], from: start, to: last },
  { hsn: ['996791'], rates: [five, eighteen], from: next },
  { hsn: ['9981', '9982', '9983', '9984', '9985'], rates: [eighteen], from: start },
  // books and periodicals read online, advertising in print, tour operators
  { hsn: ['998363', '998431'], rates: [five, eighteen], from: start },
  { hsn: ['99855'], rates: [five, eighteen], from: start },
  // support to mining and exploration was at 12 % too
  { hsn: ['9986'], rates: [twelve, eighteen], from: start, to: last },
  { hsn: ['9986'], rates: [eighteen], from: next },
  { hsn: ['9987', '9989'], rates: [five, twelve, eighteen], from: start, to: last },
  { hsn: ['9987', '9989'], rates: [five, eighteen], from: next },
  // job work, on diamonds 1.5 %
  { hsn: ['9988'], rates: [15_000, five, twelve, eighteen], from: start, to: last },
  { hsn: ['9988'], rates: [15_000, five, eighteen], from: next },
  { hsn: ['9991', '9992', '9995', '9998', '9999'], rates: [eighteen], from: start },
  { hsn: ['9996'], rates: [five, twelve, eighteen, 280_000], from: start, to: last },
  { hsn: ['9996'], rates: [five, eighteen, demerit], from: next },
  { hsn: ['9997'], rates: [eighteen], from: start, to: last },
  { hsn: ['9997'], rates: [five, eighteen], from: next },
];
