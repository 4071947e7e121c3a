import { useState } from 'react';
import { TextField } from '../fields/fields.tsx';
import type { Problem } from '../server/api.ts';
import { t } from '../text.ts';
import { FormDialog } from './FormDialog.tsx';

/** Asks for the reason of each warning that needs one, and goes on with them; the reasons are kept with the document. */
export function Reasons({
  warnings,
  verb,
  onGiven,
  onClose,
}: {
  readonly warnings: readonly Problem[];
  /** What the button says that goes on. */
  readonly verb: string;
  onGiven(reasons: Readonly<Record<string, string>>): void;
  onClose(): void;
}) {
  const codes = [...new Set(warnings.flatMap(({ code }) => (code ? [code] : [])))];
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  return (
    <FormDialog
      title={t('A reason is needed')}
      width={640}
      holds={reasons}
      verb={verb}
      enterSaves
      check={() =>
        codes.flatMap((code) => (reasons[code]?.trim() ? [] : [{ field: code, message: t('Enter the reason') }]))
      }
      save={() => Promise.resolve(reasons)}
      onDone={onGiven}
      onClose={onClose}
    >
      {(at) =>
        codes.map((code, index) => (
          <div key={code} className="stack">
            <ul className="plain-list">
              {warnings
                .filter((warning) => warning.code === code)
                .map(({ row, message }) => (
                  <li key={`${row}${message}`}>
                    {row === undefined ? '' : `${t('Line {{row}}:', { row: row + 1 })} `}
                    {message}
                  </li>
                ))}
            </ul>
            <TextField
              label={t('Reason')}
              name={code}
              required
              maxLength={200}
              autoFocus={index === 0}
              value={reasons[code] ?? ''}
              onChange={(text) => setReasons((now) => ({ ...now, [code]: text }))}
              error={at(code)}
            />
          </div>
        ))
      }
    </FormDialog>
  );
}
