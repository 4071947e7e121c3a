import { type ComponentProps, lazy, Suspense } from 'react';

const Dialog = lazy(() => import('./CreateMaster.tsx').then((module) => ({ default: module.CreateMaster })));

/** The dialog that makes a party or an item; with the fields of all masters it is fetched when somebody makes one. */
export const CreateMaster = (given: ComponentProps<typeof Dialog>) => (
  <Suspense fallback={null}>
    <Dialog {...given} />
  </Suspense>
);
