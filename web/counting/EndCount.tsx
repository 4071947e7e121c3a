import { useState } from 'react';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { useReasons } from '../kit/dialog/useReasons.tsx';
import { DateField, SelectField } from '../kit/fields/fields.tsx';
import { inSentence, rupees } from '../kit/format.ts';
import { Sentence } from '../kit/Sentence.tsx';
import { saidWith } from '../kit/saidWith.ts';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useSession } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { headFields } from '../views/editor/head/headFields.ts';
import { type Count, comesTo, differs } from './counts.ts';

export const reasons = (headFields.adjustmentReason.choices ?? []).map(([value, label]) => ({ value, label }));

/** Approves a count: says what is posted, on which day, and what becomes of lines that nobody counted. */
export function EndCount({ count, onClose }: { readonly count: Count; onClose(): void }) {
  const { today } = useSession();
  const { format } = useDateFormat();
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState(reasons[0]?.value ?? '');
  const [uncounted, setUncounted] = useState<'leave' | 'none'>('leave');
  const [key] = useState(newKey);
  const { dialog: asked, reasoned } = useReasons(t('Approve and post'));
  const { sheet, lines } = count;
  const left = lines.filter((line) => line.counted === null).length;
  const different = lines.filter(differs).length;
  const value = comesTo(count, uncounted);
  const post = async () => {
    const { id, version } = sheet;
    const shown = count.value === null ? null : value;
    const { documents, warnings } = await reasoned((given) =>
      api.PostCountSheet({ id, version, date, reason, uncounted, value: shown, ...given }, key),
    );
    toast(
      documents.length > 0
        ? saidWith(
            t('{{number}} is posted: {{documents}}', {
              number: sheet.number,
              documents: documents.map((each) => each.number).join(', '),
            }),
            warnings,
          )
        : t('{{number}} is closed: no differences', { number: sheet.number }),
    );
  };
  return (
    <>
      <FormDialog
        width={640}
        title={t('Approve {{number}}?', { number: sheet.number })}
        holds={{ date, reason, uncounted }}
        verb={t('Approve and post')}
        keep={t('Keep counting')}
        save={post}
        onClose={onClose}
      >
        {(at) => (
          <>
            <p>
              {left === lines.length
                ? t('Nothing was counted yet.')
                : different === 0
                  ? t('The counted quantities agree with the books.')
                  : plural(
                      different,
                      'One line differs from the books. One adjustment is posted for each reason.',
                      '{{count}} lines differ from the books. One adjustment is posted for each reason.',
                    )}{' '}
              {count.value !== null && (
                <Sentence
                  text="Stock changes by {{amount}}."
                  values={{ amount: <b className="num">{rupees(value)}</b> }}
                />
              )}
            </p>
            <div className="fields fields-two">
              <DateField label={t('Date')} value={date} onChange={setDate} format={format} error={at('date')} />
              <SelectField
                label={t('Reason if there is none')}
                value={reason}
                onChange={setReason}
                choices={reasons}
                error={at('reason')}
              />
              {left > 0 && (
                <SelectField
                  label={inSentence(plural(left, '{{count}} line was not counted', '{{count}} lines were not counted'))}
                  value={uncounted}
                  onChange={(chosen) => setUncounted(chosen === 'none' ? 'none' : 'leave')}
                  choices={[
                    { value: 'leave', label: t('Leave them as the books have them') },
                    { value: 'none', label: t('Count them as zero') },
                  ]}
                  error={at('uncounted')}
                  span={2}
                />
              )}
            </div>
          </>
        )}
      </FormDialog>
      {asked}
    </>
  );
}
