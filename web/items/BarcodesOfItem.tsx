import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { symbologies } from '../../domain/items/barcode.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { useFieldProblems } from '../kit/fields/fieldProblems.ts';
import { TextField } from '../kit/fields/fields.tsx';
import { ErrorPanel, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { problemAt } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import type { BarcodeRow } from './Barcodes.tsx';

const labels: Readonly<Record<string, string>> = Object.fromEntries(symbologies);

interface BarcodesProps {
  readonly row: BarcodeRow;
  readonly mayWrite: boolean;
  onClose(): void;
}

/** The barcodes of an item: another is scanned or typed, for its own unit or for a box; one is taken off. */
export function BarcodesOfItem({ row: { item, sku, name, unit }, mayWrite, onClose }: BarcodesProps) {
  const { data, error } = useQuery({
    queryKey: useScreenKey('barcodesOf', item),
    queryFn: async () => (await api.ListBarcodes({ search: sku })).rows.filter((row) => row.item === item && row.id),
  });
  const another = useAnother(item);
  return (
    <Dialog
      open
      width={640}
      title={t('Barcodes of {{name}}', { name })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      {error ? (
        <ErrorPanel error={error} />
      ) : !data ? (
        <Skeleton rows={2} />
      ) : (
        <div className="stack">
          {mayWrite && <Another typed={another} own={unit} />}
          {data.length === 0 ? (
            <p className="muted">{t('It has no barcode yet.')}</p>
          ) : (
            <Codes rows={data} mayWrite={mayWrite} />
          )}
        </div>
      )}
    </Dialog>
  );
}

/** A barcode that is scanned or typed for the item. */
function useAnother(item: string) {
  const [barcode, setBarcode] = useState('');
  const [unit, setUnit] = useState('');
  const { busy, error, run } = useRun();
  const { problems, error: refused } = useFieldProblems(error, { barcode, unit });
  const add = () =>
    run(async () => {
      const made = await api.SaveBarcode({ item, barcode, unit });
      toast(
        t('{{barcode}} is the barcode of {{unit}} of {{name}}', {
          barcode: made.barcode,
          unit: made.unit,
          name: made.name,
        }),
      );
      setBarcode('');
      setUnit('');
    });
  return { barcode, setBarcode, unit, setUnit, busy, problems, refused, add: () => void add() };
}

interface AnotherProps {
  readonly typed: ReturnType<typeof useAnother>;
  /** The unit of the item. */
  readonly own: string;
}

function Another({ typed, own }: AnotherProps) {
  const { barcode, unit, problems, refused } = typed;
  return (
    <>
      {refused !== null && problems.length === 0 && <ErrorPanel error={refused} />}
      <form
        className="fields fields-two"
        onSubmit={(event) => {
          event.preventDefault();
          typed.add();
        }}
      >
        <TextField
          label={t('Another barcode')}
          name="barcode"
          value={barcode}
          onChange={typed.setBarcode}
          error={problemAt(problems, 'barcode')}
          help={t('Scan or type it')}
          maxLength={48}
        />
        <TextField
          label={t('Unit of this barcode')}
          name="unit"
          value={unit}
          onChange={(text) => typed.setUnit(text.toUpperCase())}
          error={problemAt(problems, 'unit')}
          help={t('Empty: {{own}}. A box of 12 needs a unit conversion', { own })}
          maxLength={8}
        />
        <Button type="submit" look="primary" busy={typed.busy} disabled={!barcode.trim()}>
          {t('Add barcode')}
        </Button>
      </form>
    </>
  );
}

function Codes({ rows, mayWrite }: { readonly rows: readonly BarcodeRow[]; readonly mayWrite: boolean }) {
  const { busy, run } = useRun(toastError);
  const remove = (id: string, code: string) =>
    run(async () => {
      await api.RemoveBarcode({ id });
      toast(t('{{code}} is taken off', { code }));
    });
  return (
    <ScrollX label={t('Barcodes')}>
      <table className="plain-table">
        <TableHead columns={[t('Barcode'), t('Code type'), t('Unit'), { label: t('Take off'), hidden: true }]} />
        <tbody>
          {rows.map(({ id, barcode, symbology, unit, main }) => (
            <tr key={id}>
              <td className="code">{barcode}</td>
              <td>{labels[symbology]}</td>
              <td>{main ? t('{{on}}, main', { on: unit }) : unit}</td>
              <td className="num">
                {mayWrite && id && (
                  <Button look="subtle" busy={busy} onClick={() => void remove(id, barcode)}>
                    {t('Take off')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
