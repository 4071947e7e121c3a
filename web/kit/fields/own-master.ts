import { useMemo } from 'react';
import { importableOf } from '../../../contract/importable.ts';
import { type Master, masterOf, withoutGst } from '../../../contract/masters.ts';
import { withAdditional } from '../../../contract/own-fields.ts';
import { useSession, usesGst } from '../server/session.ts';
import { useAdditionalFields } from './additional.ts';

/** A master with the fields that the organisation has added, without those of GST where there is none; `known` once they have come. */
export const useOwnMaster = (name: string): { readonly master: Master; readonly known: boolean } => {
  const fields = useAdditionalFields(name);
  const gst = usesGst(useSession());
  return useMemo(() => {
    const master = masterOf(name);
    if (!master) throw new Error(`no master ${name}`);
    const own = gst ? master : withoutGst(master);
    return { master: withAdditional(name, own, fields ?? []), known: fields !== undefined };
  }, [name, fields, gst]);
};

/** The fields of what can be imported; those of a master as the organisation has them. */
export const useOwnFields = (name: string): Master['fields'] => {
  const fields = useAdditionalFields(name);
  const gst = usesGst(useSession());
  return useMemo(() => {
    const master = masterOf(name);
    if (!master) return importableOf(name)?.fields ?? {};
    return withAdditional(name, gst ? master : withoutGst(master), fields ?? []).fields;
  }, [name, fields, gst]);
};
