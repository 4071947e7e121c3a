import { booksChecks } from './books.ts';
import type { Check } from './check.ts';
import { databaseChecks } from './database.ts';
import { documentsChecks } from './documents.ts';
import { gstChecks } from './gst.ts';
import { settlementsChecks } from './settlements.ts';
import { stockChecks } from './stock.ts';

/** All that must always be true. */
export const checks: readonly Check[] = [
  ...booksChecks,
  ...settlementsChecks,
  ...stockChecks,
  ...documentsChecks,
  ...gstChecks,
  ...databaseChecks,
];
