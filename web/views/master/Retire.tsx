import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Master } from '../../../contract/masters.ts';
import { Button } from '../../kit/Button.tsx';
import { Confirm } from '../../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { inSentence } from '../../kit/format.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import type { MasterRecord } from './record.ts';
import { textOf } from './values.ts';

/** Deactivates or deletes a record, as its master allows; what is inactive can come back. */
export function Retire({
  name,
  master,
  record,
  onDone,
}: {
  readonly name: string;
  readonly master: Master;
  readonly record: MasterRecord;
  onDone(): void;
}) {
  const cache = useQueryClient();
  const [asking, setAsking] = useState(false);
  if (master.retire === 'never') return null;
  const deletes = master.retire === 'delete';
  const label = textOf(record.values[master.name]) || textOf(record.values[master.code ?? '']) || master.label;
  const run = async () => {
    try {
      await api.RetireMaster({ master: name, id: record.id, version: record.version, active: !record.active });
      toast(
        deletes
          ? t('{{label}} is deleted', { label })
          : t('{{label}} is {{active}}', { label, active: record.active ? t('deactivated') : t('active again') }),
      );
      await cache.invalidateQueries({ queryKey: ['screen'] });
      onDone();
    } catch (error) {
      toastError(error);
    }
    setAsking(false);
  };
  if (!record.active && !deletes)
    return (
      <Button onClick={() => void run()}>{t('Reactivate {{label}}', { label: inSentence(t(master.label)) })}</Button>
    );
  const verb = deletes ? t('Delete') : t('Deactivate');
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {verb} {inSentence(t(master.label))}
      </Button>
      <Confirm
        open={asking}
        question={`${verb} ${label}?`}
        consequence={
          deletes
            ? t('It is removed from every list. Records in use cannot be deleted.')
            : t('It stays on its documents and is no longer offered. It can be made active again.')
        }
        verb={verb}
        onConfirm={run}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
