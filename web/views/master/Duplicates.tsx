import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { partyCalls } from '../../../contract/parties.ts';
import { screenOf } from '../../../contract/screens.ts';
import { Button } from '../../kit/Button.tsx';
import { ScreenLink } from '../../kit/navigation.tsx';
import { useCall, useMayOpen } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { MergeDialog } from './MergeDialog.tsx';
import type { MasterRecord } from './record.ts';
import { textOf, type Values } from './values.ts';

export type NearParty = z.output<(typeof partyCalls)['FindDuplicates']['details']>[number];

const words: Readonly<Record<NearParty['why'][number], string>> = {
  gstin: 'same GSTIN',
  pan: 'same PAN',
  phone: 'same phone',
  name: 'nearly the same name',
};
/** "same GSTIN, same PAN". */
export const inWords = (why: NearParty['why']): string => why.map((one) => words[one]).join(', ');
/** The screen on which a party is opened. */
export const formOf = ({ side }: Pick<NearParty, 'side'>) =>
  screenOf({ master: side === 'supplier' ? 'supplier' : 'customer' }, 'masterForm');

const asked = ['name', 'gstin', 'pan', 'phone'] as const;
/** A name of one or two letters is like everything. */
const LEAST = 3;
const PAUSE = 350;

/** What is asked about once the typing rests. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** Parties that may be the one in the form, while it is typed. What is kept can be merged with them, what is new gives way. */
export function Duplicates({
  values,
  record,
  onUse,
  onMerged,
}: {
  readonly values: Values;
  readonly record?: MasterRecord;
  /** Takes one of them instead of making a new one. */
  onUse?(party: NearParty): void;
  onMerged?(): void;
}) {
  const mayOpen = useMayOpen();
  const [merging, setMerging] = useState<NearParty | null>(null);
  const typed = Object.fromEntries(
    asked.flatMap((key) => (textOf(values[key]).trim().length < LEAST ? [] : [[key, textOf(values[key]).trim()]])),
  );
  const input = useRested(JSON.stringify({ ...typed, ...(record && { id: record.id }) }));
  const ready = asked.some((key) => typed[key]);
  const { data = [] } = useCall<readonly NearParty[]>('parties/FindDuplicates', JSON.parse(input), ready);
  const shown = ready ? data.slice(0, 3) : [];
  return (
    <div role="status" className="asked">
      {shown.length > 0 && (
        <div className="note" data-tone="warn">
          <p>
            <strong>{record ? t('May be the same party') : t('May be on record already')}</strong>
            {data.length > shown.length &&
              ` · ${t('{{shown}} of {{data}}', { shown: shown.length, data: data.length })}`}
          </p>
          <ul className="near-parties">
            {shown.map((party) => {
              const form = formOf(party);
              const said = [party.code, party.name].join(' · ');
              return (
                <li key={party.id}>
                  <span className="wrap">
                    {form && mayOpen(form) && !onUse ? (
                      <ScreenLink screen={form} query={{ id: party.id }}>
                        {said}
                      </ScreenLink>
                    ) : (
                      said
                    )}
                    {': '}
                    {inWords(party.why)}
                    {party.active ? '' : `, ${t('inactive')}`}
                  </span>
                  {onUse && party.active && (
                    <Button onClick={() => onUse(party)}>{t('Use {{code}}', { code: party.code })}</Button>
                  )}
                  {record && (
                    <Button onClick={() => setMerging(party)}>
                      {t('Merge with {{code}} …', { code: party.code })}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      )}
      {merging && record && (
        <MergeDialog
          unsaved
          pair={[
            {
              id: record.id,
              version: record.version,
              code: textOf(record.values['code']),
              name: textOf(record.values['name']),
              gstin: textOf(record.values['gstin']) || null,
              phone: textOf(record.values['phone']),
            },
            merging,
          ]}
          onClose={() => setMerging(null)}
          onDone={() => {
            setMerging(null);
            onMerged?.();
          }}
        />
      )}
    </div>
  );
}
