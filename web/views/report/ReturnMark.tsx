import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allows } from '../../../contract/levels.ts';
import { monthEnd } from '../../../domain/base/dates.ts';
import { noReturnFor, outwardReturn } from '../../../domain/tax/gst/returns/filing.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/server/client.ts';
import { useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { FiledReturn } from '../settings/FiledReturn.tsx';
import { Marking, monthName } from '../settings/Marking.tsx';
import type { Values } from './filters.ts';

/**
 * What may be done about the mark of the return that a report draws: marking it once its period is over, and looking at it beside
 * the books once it is marked. Marks are a setting: who may not write it sees in the notes whether the return is filed.
 */
export function ReturnMark({ values }: { readonly values: Values }) {
  const { registrations, grants, today } = useSession();
  const key = useScreenKey('filings');
  const mayMark = allows(grants['General Configuration'], 'write');
  const { data } = useQuery({ queryKey: key, queryFn: () => api.ListFilings({}), enabled: mayMark });
  const [open, setOpen] = useState<'marking' | 'looking' | null>(null);
  const { registration = '', period = '' } = values;
  const own = registrations.find(({ id }) => id === registration);
  if (!mayMark || !data || !own || !/^\d{6}$/.test(period)) return null;
  const days = outwardReturn(period, own.filing);
  const asked = { registration, form: days.form, period: days.to.slice(0, 7) };
  const isMarked = data.some(
    (each) => each.registration === registration && each.form === asked.form && each.period === asked.period,
  );
  const isOver = monthEnd(days.to) < today;
  if (!isMarked && (!isOver || noReturnFor(days.form, own, days) !== undefined)) return null;
  return (
    <>
      {isMarked ? (
        <Button onClick={() => setOpen('looking')}>{t('As filed')}</Button>
      ) : (
        <Button look="primary" onClick={() => setOpen('marking')}>
          {t('Mark as filed')}
        </Button>
      )}
      {open === 'marking' && <Marking start={asked} onClose={() => setOpen(null)} />}
      {open === 'looking' && (
        <FiledReturn
          asked={asked}
          title={t('{{form}} of {{period}} as filed', { form: asked.form, period: monthName(asked.period) })}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
