import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { serialsFrom, serialsText } from '../../domain/stock/part-text.ts';
import { scanned } from '../../domain/till/till.ts';
import { Button } from '../kit/Button.tsx';
import { QuantityField, TextField } from '../kit/fields/fields.tsx';
import { plainNumber } from '../kit/format.ts';
import { Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { t } from '../kit/text.ts';
import type { Line } from './counts.ts';

const messageOf = (error: unknown): string =>
  error instanceof Refused ? (error.problems[0]?.message ?? error.message) : String(error);
const titleOf = (line: Line): string =>
  [line.name, line.roomName, line.batch && `batch ${line.batch}`].filter(Boolean).join(' · ');

/** Enter saves the figure; the form itself is not sent anywhere. */
const kept = (save: () => Promise<void>) => (event: FormEvent) => {
  event.preventDefault();
  void save();
};

/**
 * Where counts come in. A scan counts one more of what was scanned (3*code: three of it); what is no code is looked for in
 * the list. A line that was chosen takes the whole quantity that I counted of it, and Enter goes to the next.
 */
export function CountEntry({
  id,
  line,
  code,
  typed,
  onTyped,
  onFirst,
  onLine,
  onChoose,
  onDone,
}: {
  readonly id: string;
  /** The line that is being entered by hand. */
  readonly line: Line | undefined;
  readonly code: RefObject<HTMLInputElement | null>;
  readonly typed: string;
  onTyped(text: string): void;
  /** Takes the first line that matches what was typed; false when there is none. */
  onFirst(): boolean;
  onLine(line: Line): void;
  onChoose(
    lines: readonly number[],
    item: { readonly id: string; readonly name: string; readonly batched: boolean },
  ): void;
  /** A line was entered by hand. */
  onDone(line: Line): void;
}) {
  const [said, setSaid] = useState<{ readonly text: string; readonly bad: boolean } | null>(null);
  // scans come faster than answers: each waits for the one before it
  const queue = useRef(Promise.resolve());
  const scan = async (text: string) => {
    const asked = scanned(text);
    if (!asked) return;
    try {
      const found = await api.ScanCount({ id, code: asked.code, quantity: asked.quantity });
      if (found.line) {
        onLine(found.line);
        setSaid({
          text: t('{{line}}: {{line2}} counted', { line: titleOf(found.line), line2: plainNumber(mineOf(found.line)) }),
          bad: false,
        });
      } else if (found.item) {
        setSaid(null);
        onChoose(found.choose, found.item);
      }
    } catch (refused) {
      // words are looked for, codes are not
      const unknown = refused instanceof Refused && refused.problems[0]?.code === 'unknownCode';
      if (unknown && onFirst()) return;
      setSaid({ text: messageOf(refused), bad: true });
      onTyped(text);
      code.current?.select();
    }
  };
  const enter = () => {
    const text = typed.trim();
    if (text === '') {
      onFirst();
      return;
    }
    onTyped('');
    queue.current = queue.current.then(() => scan(text));
  };
  return (
    <div className="count-entry">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          enter();
        }}
      >
        <label className="field">
          <span className="field-label">{t('Scan or search')}</span>
          <input
            ref={code}
            className="input"
            autoComplete="off"
            placeholder={t('Barcode, SKU, serial number or name')}
            value={typed}
            onChange={(event) => onTyped(event.target.value)}
            aria-describedby="count-said"
            aria-invalid={said?.bad || undefined}
          />
          <span id="count-said" className={said?.bad ? 'field-error' : 'field-help'} role="status">
            {said?.text ?? t('A scan counts one more · 3*code: three of it · Enter: the first line, by hand')}
          </span>
        </label>
      </form>
      {line && (
        <ByHand key={`${line.line}`} id={id} line={line} onDone={onDone} onLeave={() => code.current?.focus()} />
      )}
    </div>
  );
}

/** What I counted in the round that runs. */
const mineOf = (line: Line): string => {
  const round = Math.max(...line.counts.map((count) => count.round));
  return line.counts.find((count) => count.mine && count.round === round)?.quantity ?? '';
};

function ByHand({
  id,
  line,
  onDone,
  onLeave,
}: {
  readonly id: string;
  readonly line: Line;
  onDone(line: Line): void;
  onLeave(): void;
}) {
  const mine = line.asked && line.counts.length > 0 ? mineOf(line) : '';
  const [quantity, setQuantity] = useState(mine);
  const [serials, setSerials] = useState(serialsText(line.counts.filter((c) => c.mine).at(-1)?.serials ?? []));
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const save = async (none = false) => {
    const numbers = serialsFrom(serials);
    if (!none && !line.serialised && quantity.trim() === '')
      return setWrong(t('Enter the quantity counted; 0 if there is none'));
    setBusy(true);
    setWrong(null);
    try {
      const whole = line.serialised ? String(numbers.length) : quantity;
      onDone(
        await api.EnterCount({
          ...{ id, line: line.line, quantity: none ? null : whole },
          ...(line.serialised && !none && { serials: numbers }),
        }),
      );
    } catch (refused) {
      setWrong(messageOf(refused));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      className="count-line"
      aria-label={t('Count of {{line}}', { line: titleOf(line) })}
      onSubmit={kept(() => save())}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
      }}
    >
      <div className="count-name">
        <b>{titleOf(line)}</b>
        <span className="muted code">{line.sku}</span>
      </div>
      {line.serialised ? (
        <TextField
          label={t('Serial numbers counted')}
          value={serials}
          onChange={setSerials}
          error={wrong ?? undefined}
          help={t('A01, A02 or A01..A09; leave empty if there are none')}
        />
      ) : (
        <QuantityField
          label={t('Counted by me ({{unit}})', { unit: line.unit })}
          value={quantity}
          onChange={setQuantity}
          error={wrong ?? undefined}
        />
      )}
      <div className="side-actions">
        <Button type="submit" look="primary" busy={busy}>
          {t('Keep')}
        </Button>
        {mine !== '' && (
          <Button busy={busy} onClick={() => void save(true)}>
            {t('Take back')}
          </Button>
        )}
      </div>
    </form>
  );
}
