import { useEffect, useState } from 'react';
import type { Master } from '../../../contract/masters.ts';
import { useWarning } from '../../kit/fields/warning.ts';
import { useAddress } from '../../kit/navigation.tsx';
import { api } from '../../kit/server/client.ts';
import { useScreenKey, useSession } from '../../kit/server/session.ts';
import { useStoredState } from '../../kit/server/useStoredState.ts';
import { following } from './following.ts';
import { blankValues, kindNamesIn, type Names, pickedIn, takenFromCategory } from './opening.ts';
import type { MasterRecord, OpenedRecord } from './record.ts';
import { textOf, type Values } from './values.ts';

/** What is typed and not saved, over what it was begun with. */
interface Typed {
  readonly opened: Values;
  readonly values: Values;
  readonly version: number | undefined;
  readonly names: Names;
}

/** What the form of a record holds: as it was opened, and as it is typed now. A form left without saving comes back. */
export function useTypedRecord(
  name: string,
  master: Master,
  record: OpenedRecord | null,
  onDirty: ((dirty: boolean) => void) | undefined,
) {
  const { registrations } = useSession();
  const address = useAddress();
  // who comes from a place that knows what is wanted finds it picked
  const [picked] = useState(() => (record ? {} : pickedIn(master.fields, address)));
  const [blank] = useState(() => blankValues(master.fields, registrations[0]?.state, picked));
  const stored = useStoredState<Typed>(useScreenKey('typed', name, record?.id ?? 'new').join('/'));
  const [opened] = useState<Values>(() => stored.first?.opened ?? record?.values ?? blank);
  const [values, setValues] = useState(stored.first?.values ?? opened);
  const [version, setVersion] = useState(stored.first?.version ?? record?.version);
  const [names, setNames] = useState<Names>(() => stored.first?.names ?? kindNamesIn(picked));
  const [given, setGiven] = useState<Values>({});
  const dirty = values !== opened;
  useWarning(dirty);
  useEffect(() => onDirty?.(dirty), [dirty, onDirty]);
  useEffect(() => stored.hold(dirty ? { opened, values, version, names } : undefined));
  /** What nobody has filled yet follows what was picked, also when another is picked; who cannot learn it types it. */
  const takeUsual = async (category: string) => {
    const usual = await api.GetCategoryUsual({ category }).catch(() => null);
    if (!usual) return;
    const taken = takenFromCategory(master.fields, usual.values, { values, given, isNew: !record });
    setNames((now) => ({ ...now, ...usual.names }));
    setGiven(taken);
    setValues((now) => ({ ...now, ...taken }));
  };
  const change = (patch: Values) => {
    setValues((now) => ({ ...now, ...patch, ...following(master, now, patch) }));
    const giver = Object.keys(patch).find((field) => master.fields[field]?.gives && textOf(patch[field]) !== '');
    if (giver) void takeUsual(textOf(patch[giver]));
  };
  return {
    ...{ opened, values, version, dirty, change },
    names: { ...record?.names, ...names },
    /** The fields that hold what the category gave. */
    takenOver: Object.keys(given).filter((field) => given[field] !== 'false' && values[field] === given[field]),
    /** Goes on from what somebody else has saved meanwhile. */
    merge: (merged: Values, theirs: MasterRecord) => {
      setValues(merged);
      setNames((now) => ({ ...now, ...theirs.names }));
      setVersion(theirs.version);
    },
    /** What is typed is saved or given up. */
    drop: stored.drop,
  };
}
export type TypedRecord = ReturnType<typeof useTypedRecord>;
