import { Refusal } from '../../../../contract/errors.ts';
import { lockMet, registers } from '../../../../domain/books/registers.ts';
import type { Entry } from '../../../../domain/document/document.ts';
import { taxEffectsOf, taxLockMet } from '../../../../domain/tax/tax-locks.ts';
import { insteadOfCancelling } from '../cancelling/alternatives.ts';
import type { CheckedRequest } from '../types.ts';

/** Refuses a day that is locked for the books, or for the register of the kind. */
export function refuseLockedDay(request: CheckedRequest, lockedThrough: string | null): void {
  const { draft, kind, mirrorOf, locks } = request;
  const { date, registration } = draft;
  if (lockedThrough !== null && date <= lockedThrough)
    throw new Refusal('periodLocked', { date: lockedThrough, ...nextStep(request) });
  const lock = lockMet(mirrorOf?.kind ?? kind, date, locks, registration);
  if (!lock) return;
  throw new Refusal('registerLocked', {
    register: registers[lock.register][1],
    date: lock.through,
    ...nextStep(request),
  });
}

/** For a refused cancellation: what to do instead. */
const nextStep = ({ mirrorOf }: CheckedRequest) =>
  mirrorOf && { instead: insteadOfCancelling(mirrorOf.kind, mirrorOf.isReturned) };

/** Refuses entries that change the tax of a filed return, typed by hand or not. */
export function refuseFiledTax(request: CheckedRequest, entries: readonly Entry[]): void {
  const { draft, ledgers, locks } = request;
  if (locks.size === 0) return;
  const lock = taxLockMet(taxEffectsOf(entries, ledgers), draft.date, locks, draft.registration);
  if (!lock) return;
  throw new Refusal('registerLocked', {
    register: registers[lock.register][1],
    date: lock.through,
    ...nextStep(request),
  });
}
