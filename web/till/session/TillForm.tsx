import { masters } from '../../../contract/masters.ts';
import { t } from '../../kit/text.ts';
import { type KeptRecord, MasterDialog } from '../../views/master/MasterDialog.tsx';
import { initialValues } from '../../views/master/values.ts';

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
    title={till ? t('Settings of {{name}}', { name: String(till.values['name'] ?? 'the till') }) : t('New till')}
    initial={till?.values ?? initialValues(master.fields)}
    kept={till}
    width={880}
    onSaved={onSaved}
    onClose={onClose}
  />
);
