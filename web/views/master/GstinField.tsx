import { type KeyboardEvent, useRef, useState } from 'react';
import { type RefusalCode, waysOn } from '../../../contract/errors.ts';
import type { TaxpayerFact } from '../../../contract/masters.ts';
import { gstinProblem } from '../../../domain/tax/gst/registration/gstin.ts';
import { Button } from '../../kit/Button.tsx';
import { type FieldProps, TextField } from '../../kit/fields/fields.tsx';
import { ScreenLink } from '../../kit/navigation.tsx';
import { messageOf, Refused } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat } from '../../kit/server/session.ts';
import { t, translated } from '../../kit/text.ts';
import { compare, type Differing, type Taxpayer } from './taxpayer.ts';
import { type Fields, textOf, type Values } from './values.ts';

interface Outcome {
  readonly taxpayer: Taxpayer;
  readonly filled: readonly string[];
  readonly differing: readonly Differing[];
}

const statusWords: Readonly<Record<string, string>> = {
  active: 'Active',
  provisional: 'Provisional',
  suspended: 'Suspended',
  inactive: 'Inactive',
  cancelled: 'Cancelled',
};

/** A GSTIN about which the portal can be asked (button, or Alt G in the field): empty fields are filled, in others one chooses. */
export function GstinField({
  fills,
  fields,
  values,
  onFilled,
  ...common
}: FieldProps & {
  readonly fills: Readonly<Record<string, TaxpayerFact>>;
  readonly fields: Fields;
  readonly values: Values;
  onFilled(patch: Values): void;
}) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failed, setFailed] = useState<unknown>();
  // what is typed while the portal is being asked counts
  const latest = useRef(values);
  latest.current = values;
  const gstin = common.value.trim();
  const askable = gstin !== '' && gstinProblem(gstin) === undefined && !common.disabled;
  const ask = async (fresh: boolean) => {
    if (!askable || busy) return;
    setBusy(true);
    setFailed(undefined);
    setOutcome(null);
    try {
      const taxpayer = (await api.GetTaxpayer({ gstin, fresh })) as Taxpayer;
      const now = latest.current;
      if (textOf(now[common.name ?? '']).trim() !== gstin) return;
      const { filled, differing } = compare(fields, fills, now, taxpayer);
      // what nobody has typed gives way at once; it can be taken back below
      const given = differing.filter(({ untouched }) => untouched).map(({ field, value }) => [field, value] as const);
      onFilled({ ...filled, ...Object.fromEntries(given) });
      setOutcome({ taxpayer, filled: Object.keys(filled), differing });
    } catch (refused) {
      setFailed(refused);
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || event.key.toLowerCase() !== 'g') return;
    event.preventDefault();
    void ask(false);
  };
  const wrong = gstin.length === 15 ? gstinProblem(gstin) : undefined;
  const shown = outcome && outcome.taxpayer.gstin === gstin ? outcome : null;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key belongs to the field inside */}
      <div className="asking-field" onKeyDown={onKeyDown}>
        <TextField {...common} maxLength={15} error={common.error ?? (wrong && translated(wrong))} />
        <Button busy={busy} disabled={!askable} onClick={() => void ask(false)} title={t('Alt G')}>
          {t('Get details')}
        </Button>
      </div>
      <div className="asked" role="status" data-span="4">
        {failed !== undefined && <NotAsked error={failed} />}
        {shown && <TaxpayerFacts {...shown} fields={fields} onAgain={() => void ask(true)} />}
      </div>
      {shown?.differing.map((one) => (
        <Choice
          key={one.field}
          one={one}
          now={values[one.field]}
          onChoose={(value) => onFilled({ [one.field]: value })}
        />
      ))}
    </>
  );
}

/** Why the portal gave no answer, with links to where that is put right. */
function NotAsked({ error }: { readonly error: unknown }) {
  const ways = error instanceof Refused ? (waysOn[error.code as RefusalCode] ?? []) : [];
  return (
    <p className="note" data-tone="bad">
      {messageOf(error)}
      {ways.map(
        ({ label, opens }) =>
          opens && (
            <span key={label}>
              {' '}
              <ScreenLink screen={opens.screen} query={opens.query ?? {}}>
                {t(label)}
              </ScreenLink>
            </span>
          ),
      )}
    </p>
  );
}

function TaxpayerFacts({ taxpayer, filled, fields, onAgain }: Outcome & { readonly fields: Fields; onAgain(): void }) {
  const { show } = useDateFormat();
  const status = statusWords[taxpayer.status] ?? t('Status not known');
  const words = filled.map((name) => fields[name]?.label).join(', ');
  return (
    <div
      className="note"
      data-tone={taxpayer.warnings.length > 0 ? 'bad' : taxpayer.status === 'active' ? 'ok' : 'warn'}
    >
      <p>
        <strong>{status}</strong>
        {taxpayer.cancelledOn && ` ${t('since {{cancelledOn}}', { cancelledOn: show(taxpayer.cancelledOn) })}`} ·{' '}
        {taxpayer.legalName} ·{' '}
        {taxpayer.portalAway ? `${t('the portal is away; this it said on')} ` : `${t('as the portal said on')} `}
        {show(taxpayer.askedOn)}{' '}
        <button type="button" className="link" onClick={onAgain}>
          {t('Ask again')}
        </button>
      </p>
      {taxpayer.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {words && <p>{t('Filled: {{words}}', { words })}</p>}
    </div>
  );
}

/** The form says one thing and the portal another. */
function Choice({ one, now, onChoose }: { one: Differing; now: unknown; onChoose(value: unknown): void }) {
  const taken = JSON.stringify(now) === JSON.stringify(one.value);
  return (
    <fieldset className="merge" data-span="4">
      <legend>{t('{{label}} differs', { label: t(one.label) })}</legend>
      <label className="check">
        <input type="radio" name={`taxpayer-${one.field}`} checked={!taken} onChange={() => onChoose(one.before)} />
        <span>{one.adds ? t('Leave: {{mine}}', { mine: one.mine }) : t('Keep: {{mine}}', { mine: one.mine })}</span>
      </label>
      <label className="check">
        <input type="radio" name={`taxpayer-${one.field}`} checked={taken} onChange={() => onChoose(one.value)} />
        <span>
          {one.adds ? t('Add: {{theirs}}', { theirs: one.theirs }) : t('Take: {{theirs}}', { theirs: one.theirs })}
        </span>
      </label>
    </fieldset>
  );
}
