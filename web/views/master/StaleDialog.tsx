import { useState } from 'react';
import { levelWords } from '../../../contract/levels.ts';
import type { Field } from '../../../contract/masters.ts';
import { screenCalled } from '../../../contract/screens.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { t } from '../../kit/text.ts';
import { differences, type Fields, type Values } from './values.ts';

type LevelMap = Readonly<Record<string, number>>;
type Names = Readonly<Record<string, string>>;

/** A value in words; what is picked has its name from the side that it comes from. */
const said = (field: Field | undefined, value: unknown, name: string | undefined, against: unknown): string => {
  if (field?.type === 'flag') return value === true || value === 'true' ? 'on' : 'off';
  if (field?.type === 'levels') return levelsOf((value ?? {}) as LevelMap, (against ?? {}) as LevelMap);
  const picked = (field?.type === 'pick' || field?.type === 'picks') && name;
  return (
    (value != null && value !== '' && picked) ||
    field?.choices?.find(([code]) => code === String(value))?.[1] ||
    plain(value)
  );
};

/** Of many levels only those that are others on the other side. */
const levelsOf = (value: LevelMap, against: LevelMap): string =>
  [...new Set([...Object.keys(value), ...Object.keys(against)])]
    .filter((screen) => (value[screen] ?? 0) !== (against[screen] ?? 0))
    .map((screen) => `${screenCalled(screen)?.label ?? screen}: ${levelWords[value[screen] ?? 0]}`)
    .join(', ');

const plain = (value: unknown): string =>
  value == null || value === ''
    ? 'empty'
    : Array.isArray(value)
      ? value.map(plain).join('; ') || 'none'
      : typeof value === 'object'
        ? Object.values(value)
            .filter((part) => part != null && part !== '')
            .map(String)
            .join(', ')
        : String(value);

/** Someone saved the record meanwhile. Changes of only one side are kept; where both changed, the person chooses. */
export function StaleDialog({
  fields,
  who,
  opened,
  mine,
  theirs,
  names = {},
  theirNames = {},
  onMerged,
  onClose,
}: {
  readonly fields: Fields;
  readonly who: string;
  readonly opened: Values;
  readonly mine: Values;
  readonly theirs: Values;
  /** Names of what is picked, as I opened it and as they saved it. */
  readonly names?: Names;
  readonly theirNames?: Names;
  onMerged(values: Values): void;
  onClose(): void;
}) {
  const { both, others, merged } = differences(fields, opened, mine, theirs);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const finish = () =>
    onMerged({
      ...merged,
      ...Object.fromEntries(both.map(({ field, mine: own, theirs: other }) => [field, taken.has(field) ? other : own])),
    });
  const choose = (field: string, other: boolean) => {
    const next = new Set(taken);
    if (other) next.add(field);
    else next.delete(field);
    setTaken(next);
  };
  return (
    <Dialog
      open
      width={640}
      title={who}
      onClose={onClose}
      onSave={finish}
      actions={
        <>
          <Button onClick={onClose}>{t('Go back to editing')}</Button>
          <Button look="primary" onClick={finish}>
            {t('Merge changes')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {both.length === 0 ? (
          <p>
            {t('{{others}} Save again after merging.', {
              others:
                others.length === 0
                  ? t('You changed different fields than they did.')
                  : t('You changed different fields: both changes are kept.'),
            })}
          </p>
        ) : (
          both.map(({ field, mine: own, theirs: other }) => (
            <fieldset key={field} className="merge">
              <legend>{t(fields[field]?.label)}</legend>
              <label className="check">
                <input type="radio" name={field} checked={!taken.has(field)} onChange={() => choose(field, false)} />
                <span>{t('Keep mine: {{fields}}', { fields: said(fields[field], own, names[field], other) })}</span>
              </label>
              <label className="check">
                <input type="radio" name={field} checked={taken.has(field)} onChange={() => choose(field, true)} />
                <span>
                  {t('Take theirs: {{fields}}', { fields: said(fields[field], other, theirNames[field], own) })}
                </span>
              </label>
            </fieldset>
          ))
        )}
        {others.length > 0 && (
          <section aria-label={t('Changed by them')}>
            <h3>{t('Changed by them, and kept')}</h3>
            <ul className="plain-list">
              {others.map(({ field, mine: own, theirs: other }) => (
                <li key={field}>
                  <b>{t(fields[field]?.label)}</b>
                  <span className="wrap">
                    {said(fields[field], own, names[field], other)} →{' '}
                    {said(fields[field], other, theirNames[field], own)}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}
