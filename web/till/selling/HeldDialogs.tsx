import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { TextField } from '../../kit/fields/fields.tsx';
import { showMoment } from '../../kit/format.ts';
import { useDateFormat } from '../../kit/server/session.ts';
import { plural, t } from '../../kit/text.ts';
import type { HeldCart } from '../bills/billStore.ts';
import type { Cart } from '../cart/cart.ts';

/** Puts the bill aside under a name. */
export function HoldDialog({
  suggested,
  onHold,
  onClose,
}: {
  readonly suggested: string;
  onHold(name: string): void;
  onClose(): void;
}) {
  const [name, setName] = useState(suggested);
  const hold = () => onHold(name.trim() || suggested);
  return (
    <Dialog
      open
      title={t('Hold this bill under which name?')}
      onClose={onClose}
      onSave={hold}
      actions={
        <>
          <Button onClick={onClose}>{t('Go on with it')}</Button>
          <Button look="primary" onClick={hold}>
            {t('Hold bill')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          hold();
        }}
      >
        <TextField label={t('Name')} value={name} maxLength={60} onChange={setName} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

/** What was put aside, the latest first. */
export function RecallDialog({
  held,
  onRecall,
  onClose,
}: {
  readonly held: readonly HeldCart[];
  onRecall(held: HeldCart): void;
  onClose(): void;
}) {
  const { format } = useDateFormat();
  const latest = [...held].sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <Dialog
      open
      title={t('Recall which bill?')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      {held.length === 0 && <p>{t('No bill is held.')}</p>}
      <ul className="till-bills">
        {latest.map((one) => {
          const { lines } = one.cart as Cart;
          return (
            <li key={one.key}>
              <Button onClick={() => onRecall(one)}>{one.name}</Button>
              <span className="muted">
                {plural(lines.length, '{{count}} line · {{at}}', '{{count}} lines · {{at}}', {
                  at: showMoment(one.at, format),
                })}
              </span>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
