import { useState } from 'react';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import type { NearParty } from './Duplicates.tsx';

export type Mergeable = Pick<NearParty, 'id' | 'version' | 'code' | 'name' | 'gstin' | 'phone'>;

/** Which of two parties stays, and what becomes of the other. */
export function MergeDialog({
  pair,
  unsaved = false,
  onDone,
  onClose,
}: {
  readonly pair: readonly [Mergeable, Mergeable];
  /** It is asked from a form that may hold more than was saved. */
  readonly unsaved?: boolean;
  onDone(): void;
  onClose(): void;
}) {
  // the one that is registered is the better record
  const [first, setFirst] = useState(pair[0].gstin !== null || pair[1].gstin === null);
  const [stays, goes] = first ? pair : [pair[1], pair[0]];
  const merge = async () => {
    await api.MergeParties({ stays: stays.id, staysVersion: stays.version, goes: goes.id, goesVersion: goes.version });
    toast(t('{{name}} ({{code}}) is merged into {{name2}}', { name: goes.name, code: goes.code, name2: stays.name }));
  };
  return (
    <FormDialog
      width={640}
      title={t('Make one party of two?')}
      holds={{}}
      verb={t('Merge parties')}
      look="danger-filled"
      save={merge}
      onDone={onDone}
      onClose={onClose}
    >
      <fieldset className="merge">
        <legend>{t('Which one stays?')}</legend>
        {pair.map((party, at) => (
          <label key={party.id} className="check">
            <input type="radio" name="stays" checked={first === (at === 0)} onChange={() => setFirst(at === 0)} />
            <span className="wrap">
              {[party.code, party.name, party.gstin ?? 'No GSTIN', party.phone].filter(Boolean).join(' · ')}
            </span>
          </label>
        ))}
      </fieldset>
      <p>
        {t(
          'Open amounts, drafts, addresses and contacts of {{name}} move to {{name2}}; empty fields are filled from it. Posted ' +
            'documents keep the printed name and appear on the statement of {{name2}}.',
          { name: goes.name, name2: stays.name },
        )}
      </p>
      <p>
        {t('This cannot be undone.')}
        {unsaved && ` ${t('Unsaved changes in the form are left out.')}`}
      </p>
    </FormDialog>
  );
}
