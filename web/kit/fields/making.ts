import { createContext, useContext } from 'react';
import { allows } from '../../../contract/levels.ts';
import type { MasterName } from '../../../contract/masters.ts';
import { screenOf, screens } from '../../../contract/screens.ts';
import { inSentence } from '../format.ts';
import { useMayOpen, useSession } from '../server/session.ts';
import { t } from '../text.ts';
import type { Create, Option } from './Combobox.tsx';

/** Opens the dialog that makes a record of a master; `onMade` gets the record once it is saved. */
export type MakeRecord = (master: MasterName, typed: string, onMade: (option: Option) => void) => void;

/** Given by the shell: the dialog has the fields of all masters, whose own pickers make records too. */
export const MakeRecordContext = createContext<MakeRecord | null>(null);

/** Whether this person may make records of a master. Comfort only: the server refuses too. */
export function useMayMake(): (master: MasterName) => boolean {
  const { grants } = useSession();
  const mayOpen = useMayOpen();
  return (master) => {
    const form = screenOf({ master }, 'masterForm');
    return form !== undefined && mayOpen(form) && allows(grants[screens[form].parent], 'settings');
  };
}

/**
 * Lets a picker make a record that is missing, by Alt C. Undefined for who may not make one, and
 * for records that are not a master.
 */
export function useMaking(
  master: MasterName | undefined,
  label: string,
  onMade: (option: Option) => void,
): Create | undefined {
  const make = useContext(MakeRecordContext);
  const mayMake = useMayMake();
  if (!make || !master || !mayMake(master)) return undefined;
  return {
    label: t('Create {{label}}', { label: inSentence(label) }),
    byKeyAlone: true,
    run: (typed) => make(master, typed, onMade),
  };
}
