import type { ReactNode } from 'react';
import { type Saying, t, translated } from '../kit/text.ts';

/** What is wrong with a file, row by row: as long as anything is, nothing of it is taken. */
export function WrongRows({
  what,
  problems,
}: {
  readonly what: string;
  readonly problems: readonly (Saying & { readonly row: number })[];
}): ReactNode {
  return (
    <div className="error-panel" role="alert">
      <div>
        <p>{t('Nothing of {{what}} is imported until these errors are corrected:', { what })}</p>
        <ul>
          {problems.map(({ row, ...said }) => (
            <li key={`${row} ${said.message}`}>{t('Row {{row}}: {{message}}', { row, message: translated(said) })}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
