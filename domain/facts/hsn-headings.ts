import type { Dated } from './withholding.ts';

/**
 * Headings of goods: for each chapter the last one, counted from 01. The Harmonized System, edition of 2022, which the First
 * Schedule to the Customs Tariff Act follows since 1 January 2022 (Finance Act 2021, section 104): 1,228 headings in 96 chapters,
 * and chapter 98 of India's own. Numbers only; the names are the World Customs Organization's. As of November 2026.
 */
export const lastHeadings: Readonly<Record<string, number>> = {
  ...{ '01': 6, '02': 10, '03': 9, '04': 10, '05': 11, '06': 4, '07': 14, '08': 14, '09': 10, 10: 8, 11: 9, 12: 14 },
  ...{ 13: 2, 14: 4, 15: 22, 16: 5, 17: 4, 18: 6, 19: 5, 20: 9, 21: 6, 22: 9, 23: 9, 24: 4, 25: 30, 26: 21, 27: 16 },
  ...{ 28: 53, 29: 42, 30: 6, 31: 5, 32: 15, 33: 7, 34: 7, 35: 7, 36: 6, 37: 7, 38: 27, 39: 26, 40: 17, 41: 15 },
  ...{ 42: 6, 43: 4, 44: 21, 45: 4, 46: 2, 47: 7, 48: 23, 49: 11, 50: 7, 51: 13, 52: 12, 53: 11, 54: 8, 55: 16 },
  ...{ 56: 9, 57: 5, 58: 11, 59: 11, 60: 6, 61: 17, 62: 17, 63: 10, 64: 6, 65: 7, 66: 3, 67: 4, 68: 15, 69: 14 },
  ...{ 70: 20, 71: 18, 72: 29, 73: 26, 74: 19, 75: 8, 76: 16, 78: 6, 79: 7, 80: 7, 81: 13, 82: 15, 83: 11, 84: 87 },
  ...{ 85: 49, 86: 9, 87: 16, 88: 7, 89: 8, 90: 33, 91: 14, 92: 9, 93: 7, 94: 6, 95: 8, 96: 20, 97: 6, 98: 6 },
};

/** Headings below the last of their chapter that the edition of 2022 does not have, and until when they were there. */
export const endedHeadings: Readonly<Record<string, Pick<Dated, 'to'>>> = {
  ...ended('2006-12-31', '0503 0509 1402 1403 1519 2527 2838 2851 4108 4109 4110 4111 4204 4815 5304 6503 7012'),
  ...ended('2006-12-31', '7414 7416 7417 7803 7805 7906 8004 8005 8006 8520 9009 9203 9204 9501 9502'),
  ...ended('2016-12-31', '2848 6908 8469'),
  ...ended('2021-12-31', '8107 8803'),
};

function ended(to: string, codes: string): Record<string, Pick<Dated, 'to'>> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, { to }]));
}

/** Headings of services: the annexure to notification 11/2017-Central Tax (Rate), 28 June 2017. */
export const serviceHeadings: ReadonlySet<string> = new Set(
  (
    '9954 9961 9962 9963 9964 9965 9966 9967 9968 9969 9971 9972 9973 ' +
    '9981 9982 9983 9984 9985 9986 9987 9988 9989 9991 9992 9993 9994 9995 9996 9997 9998 9999'
  ).split(' '),
);
