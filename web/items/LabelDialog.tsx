import { useState } from 'react';
import { labelFormatNames, labelFormatOf } from '../../domain/items/labels.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { PaperDialog } from '../kit/dialog/PaperDialog.tsx';
import { Checkbox, NumberField, SelectField } from '../kit/fields/fields.tsx';
import type { GridColumn } from '../kit/grid/gridPaste.ts';
import { LineGrid } from '../kit/grid/LineGrid.tsx';
import { createRowStore, useRows } from '../kit/grid/rowStore.ts';
import { api } from '../kit/server/client.ts';
import { useSession } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import type { BarcodeRow } from './Barcodes.tsx';

/** A barcode with how many labels of it are wanted, as text. */
export interface LabelRow extends BarcodeRow {
  readonly count: string;
}

const columns: readonly GridColumn[] = [
  { key: 'name', label: 'Item', type: 'readonly' },
  { key: 'barcode', label: 'Barcode', type: 'readonly', width: 150 },
  { key: 'count', label: 'Labels', type: 'number', places: 0, width: 90, required: true },
];
const formats = labelFormatNames.map((name) => ({ value: name, label: labelFormatOf(name).label }));
const shown = [
  ['name', 'Name'],
  ['sku', 'SKU and unit'],
  ['mrp', 'MRP'],
  ['rate', 'Sale rate'],
] as const;

/** How many labels of each barcode, on which paper; then the paper itself, to be printed. */
export function LabelDialog({ rows, onClose }: { readonly rows: readonly LabelRow[]; onClose(): void }) {
  const { settings } = useSession();
  const usual = labelFormatNames.find((name) => name === settings.labelFormat) ?? labelFormatNames[0];
  const [store] = useState(() =>
    createRowStore(rows.map(({ id, name, barcode, count }) => ({ id: id ?? '', name, barcode, count }))),
  );
  const [format, setFormat] = useState(usual);
  const [skip, setSkip] = useState('');
  const [shows, setShows] = useState<Readonly<Record<string, boolean>>>({
    name: true,
    sku: true,
    mrp: true,
    rate: false,
  });
  const [asked, setAsked] = useState(false);
  const counts = useRows(store).map((row) => ({ id: row['id'] ?? '', count: Number(row['count'] || '0') }));
  const labels = counts.filter(({ count }) => count > 0);
  const wrong = counts.some(({ count }) => !Number.isInteger(count) || count > 1000);
  const total = labels.reduce((sum, { count }) => sum + count, 0);
  const sheet = labelFormatOf(format);
  const places = sheet.columns * sheet.rows;
  const used = Math.min(Number(skip) || 0, places - 1);
  const sheets = Math.ceil((total + used) / places);
  const input = { format, labels, skip: used, shows };
  if (asked)
    return (
      <PaperDialog
        title={t('Print labels')}
        what={t('{{total}} labels', { total })}
        paper={['labels', input]}
        fetch={() => api.PrintLabels(input)}
        onClose={() => setAsked(false)}
      >
        <p className="muted">{t('Print at 100 %, without fitting to the page.')}</p>
      </PaperDialog>
    );
  const show = () => {
    if (total > 0 && !wrong) setAsked(true);
  };
  return (
    <Dialog
      open
      width={880}
      title={t('Labels')}
      onClose={onClose}
      onSave={show}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" disabled={total === 0 || wrong} onClick={show}>
            {t('Show {{total}} labels', { total })}
          </Button>
        </>
      }
    >
      <div className="stack">
        <div className="fields fields-two">
          <SelectField
            label={t('Paper')}
            name="format"
            value={format}
            choices={formats}
            onChange={(name) => setFormat(labelFormatNames.find((each) => each === name) ?? format)}
          />
          {places > 1 && (
            <NumberField
              label={t('Labels of the first sheet used up')}
              name="skip"
              value={skip}
              places={0}
              onChange={setSkip}
              help={plural(sheets, '{{places}} a sheet, 1 sheet', '{{places}} a sheet, {{count}} sheets', { places })}
            />
          )}
        </div>
        <div className="fields">
          {shown.map(([key, label]) => (
            <Checkbox
              key={key}
              label={t(label)}
              checked={shows[key] === true}
              onChange={(on) => setShows({ ...shows, [key]: on })}
            />
          ))}
        </div>
        <LineGrid label={t('Labels of each barcode')} columns={columns} store={store} whole />
        {wrong && <p className="field-error">{t('A barcode gets up to 1,000 labels at once, in whole numbers.')}</p>}
      </div>
    </Dialog>
  );
}
