import { type ComponentProps, lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { Opening } from '../../kit/dialog/Dialog.tsx';
import { type MakeRecord, MakeRecordContext } from '../../kit/fields/making.ts';

const Dialog = lazy(() => import('./CreateMaster.tsx').then((module) => ({ default: module.CreateMaster })));

/** The dialog that makes a record of a master; with the fields of all masters it is fetched when somebody makes one. */
export const CreateMaster = (given: ComponentProps<typeof Dialog>) => (
  <Suspense fallback={<Opening />}>
    <Dialog {...given} />
  </Suspense>
);

/** Draws the dialogs that pickers ask for (`useMaking`): one may be opened from a field of another. */
export function RecordsMade({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<readonly Parameters<MakeRecord>[]>([]);
  const make: MakeRecord = useCallback((...wanted) => {
    setAsked((now) => [...now, wanted]);
  }, []);
  const close = () => setAsked((now) => now.slice(0, -1));
  return (
    <MakeRecordContext.Provider value={make}>
      {children}
      {asked.map(([master, typed, onMade], at) => (
        <CreateMaster
          // biome-ignore lint/suspicious/noArrayIndexKey: the last one closes first
          key={at}
          master={master}
          typed={typed}
          onClose={close}
          onMade={(option) => {
            close();
            onMade(option);
          }}
        />
      ))}
    </MakeRecordContext.Provider>
  );
}
