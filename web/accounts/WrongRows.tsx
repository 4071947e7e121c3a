import type { ReactNode } from 'react';

/** What is wrong with a file, row by row: as long as anything is, nothing of it is taken. */
export function WrongRows({
  what,
  problems,
}: {
  readonly what: string;
  readonly problems: readonly { readonly row: number; readonly message: string }[];
}): ReactNode {
  return (
    <div className="error-panel" role="alert">
      <div>
        <p>Nothing of {what} is taken as long as something in it is wrong:</p>
        <ul>
          {problems.map(({ row, message }) => (
            <li key={`${row} ${message}`}>
              Row {row}: {message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
