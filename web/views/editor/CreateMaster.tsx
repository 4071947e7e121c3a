import type { MasterName } from '../../../contract/masters.ts';
import type { Option } from '../../kit/fields/Combobox.tsx';
import { useOwnMaster } from '../../kit/fields/own-master.ts';
import { inSentence } from '../../kit/format.ts';
import { t } from '../../kit/text.ts';
import { Duplicates } from '../master/Duplicates.tsx';
import { following } from '../master/following.ts';
import { MasterDialog } from '../master/MasterDialog.tsx';
import { initialValues, textOf, type Values } from '../master/values.ts';

/** Makes a party or an item without leaving the document: the fields that must be given and the usual few besides. */
export function CreateMaster({
  master: name,
  typed,
  given = {},
  onMade,
  onClose,
}: {
  readonly master: MasterName;
  readonly typed: string;
  /** What is usual for the document. */
  readonly given?: Values;
  onMade(option: Option): void;
  onClose(): void;
}) {
  const { master } = useOwnMaster(name);
  return (
    <MasterDialog
      name={name}
      master={master}
      title={t('New {{label}}', { label: inSentence(t(master.label)) })}
      initial={{
        ...initialValues(master.fields),
        ...given,
        [master.name]: typed,
        ...following(master, {}, { [master.name]: typed }),
      }}
      brief
      width={640}
      above={(values) =>
        master.merges && <Duplicates values={values} onUse={(party) => onMade({ id: party.id, name: party.name })} />
      }
      alongside={(patch, before) => following(master, before, patch)}
      onSaved={(made) => onMade({ id: made.id, name: textOf(made.values[master.name]) })}
      onClose={onClose}
    />
  );
}
