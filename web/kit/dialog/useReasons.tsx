import { type ReactNode, useState } from 'react';
import type { AcceptedWarnings } from '../../../contract/documents.ts';
import { type Problem, Refused } from '../server/api.ts';
import { Reasons } from './Reasons.tsx';

/** The reasons that a call which posts takes; nothing as long as none is needed. */
export interface Given {
  readonly accepted?: AcceptedWarnings;
}
export type Reasoned = <T>(work: (given: Given) => Promise<T>) => Promise<T>;

interface Asking {
  readonly warnings: readonly Problem[];
  give(reasons: Readonly<Record<string, string>>): void;
  leave(): void;
}

/** The warnings of a refusal that only lacks reasons; none when something else is wrong as well. */
const neededIn = (refused: unknown): readonly Problem[] => {
  const problems = refused instanceof Refused ? refused.problems : [];
  return problems.every(({ reason }) => reason === 'needed') ? problems : [];
};

/**
 * Does what posts. Where warnings need reasons it asks for them in `dialog` and does it again with them; who gives none gets
 * the refusal as it was.
 */
export function useReasons(verb: string): { readonly dialog: ReactNode; readonly reasoned: Reasoned } {
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask = (warnings: readonly Problem[], refused: unknown) =>
    new Promise<AcceptedWarnings>((resolve, reject) => {
      const close = () => setAsking(null);
      setAsking({
        warnings,
        give: (reasons) => {
          close();
          resolve(Object.entries(reasons).map(([warning, reason]) => ({ warning, reason: reason.trim() })));
        },
        leave: () => {
          close();
          reject(refused);
        },
      });
    });
  const reasoned: Reasoned = async (work) => {
    for (let accepted: AcceptedWarnings = []; ; ) {
      try {
        return await work(accepted.length > 0 ? { accepted } : {});
      } catch (refused) {
        const warnings = neededIn(refused);
        if (warnings.length === 0) throw refused;
        accepted = [...accepted, ...(await ask(warnings, refused))];
      }
    }
  };
  const dialog = asking && (
    <Reasons warnings={asking.warnings} verb={verb} onGiven={asking.give} onClose={asking.leave} />
  );
  return { dialog, reasoned };
}
