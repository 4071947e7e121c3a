import { masters } from '../../contract/masters.ts';
import { type KeptRecord, MasterDialog } from '../views/master/MasterDialog.tsx';
import { initialValues } from '../views/master/values.ts';

const master = masters.till;

/** A till as it was kept, to be changed. */
export type KeptTill = KeptRecord;

/** Makes a till, or changes one: its place, prices, limit, paper, ledgers and payment code. */
export const TillForm = ({
  till,
  onSaved,
  onClose,
}: {
  readonly till: KeptTill | null;
  onSaved(): void;
  onClose(): void;
}) => (
  <MasterDialog
    name="till"
    master={master}
    title={till ? `Settings of ${String(till.values['name'] ?? 'the till')}` : 'New till'}
    initial={till?.values ?? initialValues(master.fields)}
    kept={till}
    width={880}
    onSaved={onSaved}
    onClose={onClose}
  />
);
