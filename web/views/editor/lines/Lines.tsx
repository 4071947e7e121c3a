import { useEffect, useMemo, useRef, useState } from 'react';
import { sourceKey } from '../../../../domain/document/sources.ts';
import { Button } from '../../../kit/Button.tsx';
import { toast, toastError } from '../../../kit/dialog/toast.tsx';
import type { GridColumn } from '../../../kit/grid/gridPaste.ts';
import { LineGrid } from '../../../kit/grid/LineGrid.tsx';
import { type RowStore, useRowKeys, useRows } from '../../../kit/grid/rowStore.ts';
import { useKeys } from '../../../kit/hotkeys.ts';
import type { Problem } from '../../../kit/server/api.ts';
import { useSession } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { CreateMaster } from '../Creating.tsx';
import { hasOneLine, type Model, useFacts, useHead } from '../model.ts';
import { chargesLeft, lineOfCharge } from './charges.ts';
import { LineParts, useLineParts } from './LineParts.tsx';
import { listStock } from './listStock.ts';
import { type Making, putMade } from './makeForLine.ts';
import { ScanBar } from './ScanBar.tsx';
import { createScanner, type ScanResult } from './scan.ts';
import { useMayTypeReturn, useTypedReturn } from './source.ts';
import { useLineColumns } from './useLineColumns.ts';

/** Says which batches and serial numbers went with the item that a line had before. Answers what stops it. */
const tellPartsGone = (lines: RowStore): (() => void) =>
  lines.subscribe(() => {
    lines.rows().forEach(({ key, partsGone }, at) => {
      if (!partsGone) return;
      queueMicrotask(() => lines.set(key, { partsGone: '' }));
      toast(t('Line {{at}}: {{partsGone}} belong to the item before, and are removed', { at: at + 1, partsGone }));
    });
  });

/** Problems of a line that other parts of the editor show: how it is paid, charges, adjustments. */
const isShownElsewhere = ({ field }: Problem): boolean => /^(tenders|charges|adjustments|allocations)\b/.test(field);

/**
 * The line grid of the kind. Alt K goes to the field for scans, Alt C makes an item without leaving, Alt N goes to a
 * new line, Alt B shows what is left of the batches and serial numbers, Alt A lists all that is in stock.
 */
export function Lines({
  model,
  problems,
  quick,
}: {
  readonly model: Model;
  readonly problems: readonly Problem[];
  readonly quick: boolean;
}) {
  const { kind, lines } = model;
  const { enableBarCode } = useSession().settings;
  const location = useHead(model, 'location');
  const typed = useTypedReturn(model);
  const hasItems = kind.lines.of === 'items' || kind.lines.of === 'stock';
  const fromSource = kind.source.givesPrice === true && !typed;
  const scans = enableBarCode && hasItems && !fromSource;
  const counts = kind.stock.effect === 'adjust';
  const single = hasOneLine(model);
  const [scanResult, setScanResult] = useState<ScanResult | null>(null);
  const take = useMemo(() => createScanner(model, setScanResult), [model]);
  const [making, setMaking] = useState<Making | null>(null);
  const columns = useLineColumns(model, { quick, typed, scan: scans ? take : undefined, make: setMaking });
  const parts = useLineParts(model);
  const section = useRef<HTMLElement>(null);
  const keys = useRowKeys(lines);
  const fixed = fromSource || (single && keys.length > 0);
  useEffect(() => tellPartsGone(lines), [lines]);
  const toLines = () => focusFirstEmpty(section.current);
  const listAll = async () => {
    try {
      const added = await listStock(lines, location);
      toast(
        added === 0
          ? t('Everything that is here is in the lines')
          : t('{{added}} items are listed: enter the quantities you count', { added }),
      );
      toLines();
    } catch (error) {
      toastError(error);
    }
  };
  useKeys({
    'alt+l': toLines,
    'alt+b': parts.pick,
    ...(counts && location && { 'alt+a': () => void listAll() }),
    ...(hasItems && !fromSource && { 'alt+c': () => makeItem(setMaking) }),
    ...(!fixed && { 'alt+n': () => toNewLine(section.current, lines, columns) }),
  });
  if (columns.length === 0) return null;
  if (kind.source.givesPrice && keys.length === 0) return <FromSource model={model} />;
  return (
    <section aria-label={t('Lines')} ref={section}>
      {counts && (
        <div className="button-row lines-tools">
          <Button onClick={() => void listAll()} disabled={!location} title={t('Alt A')}>
            {t('List all that is in stock here')}
          </Button>
        </div>
      )}
      {scans && <ScanBar result={scanResult} onScan={take} />}
      <LineGrid
        label={t('Lines')}
        columns={columns}
        store={lines}
        fixed={fixed}
        problems={problems.filter((problem) => problem.row !== undefined && !isShownElsewhere(problem))}
      />
      <ChargesBack model={model} />
      {single && <p className="muted">{t('An invoice has one line here, by the general configuration.')}</p>}
      {parts.row && <LineParts model={model} row={parts.row} onClose={parts.close} />}
      {making && (
        <CreateMaster
          master={making.master}
          typed={making.typed}
          onClose={() => setMaking(null)}
          onMade={(option) => {
            putMade(lines, columns, making, option, single);
            setMaking(null);
          }}
        />
      )}
    </section>
  );
}

/** Offers the charges of the documents that the lines come from, to be given back with the goods. */
function ChargesBack({ model }: { readonly model: Model }) {
  const { lines } = model;
  const { sources } = useFacts(model);
  const rows = useRows(lines);
  const left = chargesLeft(model.kind, sources, rows);
  if (left.length === 0) return null;
  return (
    <div className="button-row lines-tools">
      {left.map((charge) => (
        <Button key={sourceKey(charge)} onClick={() => lines.add(lineOfCharge(model.kind, sources, rows, charge))}>
          {t('Give back {{charge}}', { charge: charge.charge ?? '' })}
        </Button>
      ))}
    </div>
  );
}

/** Says where the lines come from while no document is chosen; a return may be typed without one. */
function FromSource({ model }: { readonly model: Model }) {
  const mayType = useMayTypeReturn(model);
  return (
    <div className="button-row">
      <p className="muted">{t('The lines come from the document chosen above.')}</p>
      {mayType && (
        <Button onClick={() => model.lines.add({})}>{t('Type the lines: no document here names these goods')}</Button>
      )}
    </div>
  );
}

function focusFirstEmpty(section: HTMLElement | null): void {
  const cells = [...(section?.querySelectorAll<HTMLInputElement>('[data-column]') ?? [])];
  (cells.find((cell) => cell.value === '') ?? cells[0])?.focus();
}

/** Goes to the last line, which is a new one unless it is empty already. */
function toNewLine(section: HTMLElement | null, lines: RowStore, columns: readonly GridColumn[]): void {
  const last = lines.rows().at(-1);
  if (!last || columns.some(({ key, type }) => type !== 'readonly' && last[key])) lines.add();
  requestAnimationFrame(() => {
    const rows = [...(section?.querySelectorAll<HTMLElement>('[data-column="0"]') ?? [])];
    rows.at(-1)?.focus();
  });
}

/** A field that picks records of another sort makes no item. */
function makeItem(make: (making: Making) => void): void {
  const isPicker = document.activeElement?.getAttribute('role') === 'combobox';
  if (isPicker) toast(t('No record can be made from this field'));
  else make({ master: 'item', typed: '' });
}
