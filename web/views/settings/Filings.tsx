import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allows } from '../../../contract/levels.ts';
import { addMonths, monthStart } from '../../../domain/dates.ts';
import { returnForms as forms } from '../../../domain/facts/gst-returns.ts';
import { isFiledFor } from '../../../domain/gst/filing.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { DateField, SelectField, TextField } from '../../kit/fields.tsx';
import { ErrorPanel, Panel, ScrollX, Skeleton, TableHead } from '../../kit/parts.tsx';
import { useDateFormat, useScreenKey, useSession } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { CancelDialog } from '../view/CancelDialog.tsx';
import { FiledReturn } from './FiledReturn.tsx';

type Filing = Awaited<ReturnType<typeof api.ListFilings>>[number];
/** Months that may have been filed lately, the last one first. */
const MONTHS = 24;

const monthName = (period: string): string =>
  new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${period}-01`),
  );

/** The GST returns that were filed: each locks, for its registration, what it shows. */
export function Filings() {
  const { show } = useDateFormat();
  const { grants } = useSession();
  const key = useScreenKey('filings');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.ListFilings({}) });
  const [marking, setMarking] = useState(false);
  const [looking, setLooking] = useState<Filing | null>(null);
  const [taking, setTaking] = useState<Filing | null>(null);
  const level = grants['General Configuration'];
  const mayMark = allows(level, 'write');
  const unmark = async ({ registration, form, period }: Filing, reason: string) => {
    await api.UnmarkFiled({ registration, form, period, reason });
    toast(`${form} of ${monthName(period)} is not marked any more`);
  };
  return (
    <Panel
      title="GST returns filed"
      actions={mayMark && <Button onClick={() => setMarking(true)}>Mark a return as filed</Button>}
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={2} />
      ) : data.length === 0 ? (
        <p className="muted">
          No return is marked yet. What a filed return shows is locked for its registration, up to the end of its
          period.
        </p>
      ) : (
        <ScrollX label="GST returns filed">
          <table className="plain-table">
            <TableHead
              columns={[
                'Period',
                'Return',
                'GSTIN',
                'Filed',
                'Due',
                'Acknowledgement',
                'Marked by',
                mayMark && { label: 'As filed', hidden: true },
                level === 5003 && { label: 'Take back', hidden: true },
              ]}
            />
            <tbody>
              {data.map((filing) => (
                <tr key={`${filing.registration}${filing.form}${filing.period}`}>
                  <td className="one-line">{monthName(filing.period)}</td>
                  <td className="one-line">{filing.form}</td>
                  <td className="code">{filing.gstin}</td>
                  <td className="one-line">{show(filing.filedOn)}</td>
                  <td className="one-line">{show(filing.due)}</td>
                  <td className="code">{filing.arn || '–'}</td>
                  <td>{filing.by}</td>
                  {mayMark && (
                    <td>
                      <Button look="subtle" onClick={() => setLooking(filing)}>
                        As filed
                      </Button>
                    </td>
                  )}
                  {level === 5003 && (
                    <td>
                      <Button look="subtle" onClick={() => setTaking(filing)}>
                        Take back
                      </Button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
      {looking && (
        <FiledReturn
          asked={{ registration: looking.registration, form: looking.form, period: looking.period }}
          title={`${looking.form} of ${monthName(looking.period)} as filed`}
          onClose={() => setLooking(null)}
        />
      )}
      {marking && <Marking onClose={() => setMarking(false)} />}
      {taking && (
        <CancelDialog
          names={[`${taking.form} of ${monthName(taking.period)}`]}
          what="returns"
          verb="Take back"
          says="Its days are open again for this registration, unless another return or a lock of its own holds them."
          onCancel={(reason) => unmark(taking, reason)}
          onClose={() => setTaking(null)}
        />
      )}
    </Panel>
  );
}

function Marking({ onClose }: { onClose(): void }) {
  const { today, registrations } = useSession();
  const { format } = useDateFormat();
  const own = registrations.flatMap(({ id, gstin }) => (gstin ? [{ value: id, label: gstin }] : []));
  const [registration, setRegistration] = useState(own[0]?.value ?? '');
  const [form, setForm] = useState<(typeof forms)[number]>('GSTR-1');
  const filing = registrations.find((each) => each.id === registration)?.filing ?? [];
  const periods = Array.from({ length: MONTHS }, (_, n) => addMonths(monthStart(today), -1 - n).slice(0, 7)).filter(
    (month) => isFiledFor(form, month, filing),
  );
  const [chosen, setPeriod] = useState('');
  // another registration or return may have none for the month that was chosen
  const period = periods.includes(chosen) ? chosen : (periods[0] ?? '');
  const mayBeforehand = filing.some(({ every }) => every === 'quarter');
  const [filedOn, setFiledOn] = useState(today);
  const [arn, setArn] = useState('');
  const mark = async () => {
    await api.MarkFiled({ registration, form, period, filedOn, arn: arn.trim() });
    toast(`${form} of ${monthName(period)} is marked as filed`);
  };
  return (
    <FormDialog
      width={640}
      title="Which return was filed?"
      holds={{ registration, form, period, filedOn, arn }}
      verb="Mark as filed"
      save={mark}
      onClose={onClose}
    >
      {(at) => (
        <>
          <p>
            {form === 'IFF'
              ? 'What the IFF holds now is left out of the return of its quarter. It locks nothing.'
              : form === 'GSTR-9'
                ? 'From this day on no input credit is taken, and no tax reduced, for supplies of the year. It locks nothing.'
                : 'Documents that the return shows are locked for this registration, up to the end of the period. The return is kept as the books give it now.'}
          </p>
          <div className="fields fields-two">
            <SelectField
              label="Registration"
              value={registration}
              onChange={setRegistration}
              choices={own}
              error={at('registration')}
            />
            <SelectField
              label="Return"
              value={form}
              onChange={(value) => setForm(forms.find((each) => each === value) ?? 'GSTR-1')}
              choices={forms
                .filter((each) => each !== 'IFF' || mayBeforehand)
                .map((value) => ({ value, label: value }))}
              error={at('form')}
            />
            <SelectField
              label="Period"
              value={period}
              onChange={setPeriod}
              choices={periods.map((value) => ({ value, label: monthName(value) }))}
              error={at('period')}
              help="Of a quarterly or annual return its last month"
            />
            <DateField label="Filed on" value={filedOn} onChange={setFiledOn} format={format} error={at('filedOn')} />
            <TextField
              label="Acknowledgement (ARN)"
              value={arn}
              onChange={setArn}
              maxLength={15}
              error={at('arn')}
              span={2}
            />
          </div>
        </>
      )}
    </FormDialog>
  );
}
