import { useMemo } from 'react';
import { type Master, masterOf } from '../../contract/masters.ts';
import { withAdditional } from '../../contract/own-fields.ts';
import { useAdditionalFields } from './additional.ts';

/** A master with the fields that the organisation has added; `known` once they have come. */
export const useOwnMaster = (name: string): { readonly master: Master; readonly known: boolean } => {
  const fields = useAdditionalFields(name);
  return useMemo(() => {
    const master = masterOf(name);
    if (!master) throw new Error(`no master ${name}`);
    return { master: withAdditional(name, master, fields ?? []), known: fields !== undefined };
  }, [name, fields]);
};
