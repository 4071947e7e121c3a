import type { closingCalls } from '../../contract/closing.ts';
import type { Handlers } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { returnsDueOf } from './due.ts';
import { filedReturn } from './filed-return.ts';
import { filingsOf, markFiled, unmarkFiled } from './filings.ts';
import { locksNow, saveLock } from './locks.ts';
import { closeBooks, previewYearEnd, reopenYear, yearsOf } from './year-end.ts';

export const closingHandlers: Handlers<typeof closingCalls, Context> = {
  GetYears: (_, context) => context.inTransaction((trx) => yearsOf(trx, context)),
  PreviewYearEnd: previewYearEnd,
  CloseYear: closeBooks,
  ReopenYear: reopenYear,
  GetLocks: (_, context) => context.inTransaction((trx) => locksNow(trx, context)),
  SaveLock: saveLock,
  ListFilings: (_, context) => context.inTransaction((trx) => filingsOf(trx, context)),
  ListReturnsDue: (_, context) => context.inTransaction((trx) => returnsDueOf(trx, context)),
  GetFiledReturn: filedReturn,
  MarkFiled: markFiled,
  UnmarkFiled: unmarkFiled,
};
