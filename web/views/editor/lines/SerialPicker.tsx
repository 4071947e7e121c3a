import { useMemo, useState } from 'react';
import { parseDecimal } from '../../../../domain/base/decimal.ts';
import { serialsFrom, serialsText, wholeText } from '../../../../domain/stock/part-text.ts';
import { partName } from '../../../../domain/stock/parts.ts';
import { Button } from '../../../kit/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { Checkbox, TextField } from '../../../kit/fields/fields.tsx';
import type { LineRow } from '../../../kit/grid/rowStore.ts';
import { t } from '../../../kit/text.ts';

/** As many are shown at once; what is typed or scanned narrows them down. */
const SHOWN = 60;

/** The serial numbers of a line's item that are in stock here, or that left with its source: which of them go is ticked. */
export function SerialPicker({
  row,
  serials,
  onPick,
  onClose,
}: {
  readonly row: LineRow;
  readonly serials: readonly string[];
  onPick(text: string): void;
  onClose(): void;
}) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () => new Set(serialsFrom(row['serials'] ?? '').map(partName)),
  );
  const [search, setSearch] = useState('');
  const wanted = Math.ceil((parseDecimal(wholeText(row), 6) ?? 0) / 1_000_000);
  const found = useMemo(() => serials.filter((serial) => serial.includes(partName(search))), [serials, search]);
  const put = (serial: string, on: boolean) =>
    setTaken((now) => new Set(on ? [...now, serial] : [...now].filter((one) => one !== serial)));
  // what was typed of others stays: a number that is not in stock here is named by the server
  const pick = () => onPick(serialsText([...taken].toSorted()));
  const scanned = () => {
    const [only] = found;
    if (search === '' || found.length !== 1 || only === undefined) return pick();
    put(only, true);
    setSearch('');
  };
  return (
    <Dialog
      open
      title={t('Serial numbers of {{item}}', { item: row['item'] })}
      onClose={onClose}
      onSave={pick}
      actions={
        <>
          <Button onClick={() => setTaken(new Set(serials.slice(0, wanted)))}>
            {t('The first {{wanted}}', { wanted })}
          </Button>
          <Button look="primary" onClick={pick}>
            {t('Take {{size}} of {{wanted}}', { size: taken.size, wanted })}
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          scanned();
        }}
      >
        <TextField
          label={t('Serial number')}
          value={search}
          onChange={setSearch}
          help={t('{{serials}} here; type or scan one and press Enter to take it', { serials: serials.length })}
        />
        <fieldset className="stack serial-list">
          <legend>{t('In stock')}</legend>
          {found.slice(0, SHOWN).map((serial) => (
            <Checkbox key={serial} label={serial} checked={taken.has(serial)} onChange={(on) => put(serial, on)} />
          ))}
          {found.length > SHOWN && (
            <p className="muted">
              {t('and {{found}} more: type a part of the number', { found: found.length - SHOWN })}
            </p>
          )}
          {found.length === 0 && <p className="muted">{t('No such serial number in stock')}</p>}
        </fieldset>
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
