import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { moneyText, parseDecimal } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import type { FieldName } from '../../../../domain/document/kinds/kind.ts';
import { losesCredit } from '../../../../domain/tax/credit-lost.ts';
import { activeStates } from '../../../../domain/tax/gst/registration/states.ts';
import {
  lowerOf,
  tcsChoices,
  tcsEachAbove,
  tdsAdvice,
  tdsChoices,
  tdsOnPayment,
} from '../../../../domain/tax/withheld.ts';
import { Button } from '../../../kit/Button.tsx';
import { toastError } from '../../../kit/dialog/toast.tsx';
import { ComboboxField, type Option } from '../../../kit/fields/Combobox.tsx';
import {
  Checkbox,
  DateField,
  type FieldProps,
  MoneyField,
  PercentField,
  SelectField,
  TextArea,
  TextField,
} from '../../../kit/fields/fields.tsx';
import { useMaking } from '../../../kit/fields/making.ts';
import { rupees } from '../../../kit/format.ts';
import { type Problem, problemAt, Refused, warningAt } from '../../../kit/server/api.ts';
import { api } from '../../../kit/server/client.ts';
import { useCall, useDateFormat, useScreenKey } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { fillFrom, useTypedReturn } from '../lines/source.ts';
import { chooseCurrency, type Model, useFacts, useHead, useWholeHead } from '../model.ts';
import { askedOf } from '../posting/judging.ts';
import { useDocumentSearch, usePick } from '../searches.ts';
import { usePriced } from '../totals.ts';
import { leftAt, percentOf } from '../wire.ts';
import { Customs } from './Customs.tsx';
import {
  addressParts,
  creditParts,
  customsParts,
  emptiedBeside,
  type HeadRow,
  headFields,
  transportParts,
} from './headFields.ts';
import { RateField } from './RateField.tsx';

interface Props {
  readonly model: Model;
  readonly problems: readonly Problem[];
}
type Bound = Props & { readonly row: HeadRow; readonly field: FieldProps };

const states = activeStates.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));

const useField = (model: Model, problems: readonly Problem[], path: string, label: string): FieldProps => ({
  label,
  name: path,
  value: useHead(model, path),
  onChange: (value) => model.head.set({ [path]: value }),
  error: problemAt(problems, path),
  warning: warningAt(problems, path),
});

/** One field of the head as its row says. */
export function HeadField({ model, problems, name }: Props & { readonly name: FieldName }) {
  const row = headFields[name];
  const bound = useField(model, problems, row.path, t(row.label));
  const currency = useHead(model, 'currency');
  const asked = useMemo(() => askedOf(model), [model]);
  const other = useHead(model, row.instead ?? '');
  const otherTyped = useHead(model, leftAt(row.instead ?? ''));
  const whatFor = useHead(model, row.passed === true ? '' : (row.passed ?? ''));
  // A rupee is one rupee: its rate is not asked for.
  if ((row.control === 'rate' && currency === 'INR') || other || otherTyped) return null;
  const passed = row.passed === true || (row.passed !== undefined && whatFor === '');
  const field = {
    ...bound,
    passed,
    error: bound.error ?? problemAt(problems, name),
    warning: bound.warning ?? warningAt(problems, name),
    help: row.control === 'rate' ? `${t(row.help)} ${currency}` : t(row.help),
    required: row.control === 'rate' || asked.has(name),
    span: row.span,
  };
  return <Control model={model} problems={problems} row={row} field={field} />;
}

/** What a field lets choose from: the kind's own choices, where it has some. A value from elsewhere stays to be chosen. */
function choicesOf({ row, field, model }: Bound): { readonly value: string; readonly label: string }[] {
  const own = row.ownChoices?.(kindOf(model.name)) ?? [];
  const rows = own.length > 0 ? own.map((text) => [text, text] as const) : (row.choices ?? []);
  const choices = rows.map(([value, label]) => ({ value, label: t(label) }));
  const known = field.value === '' || choices.some(({ value }) => value === field.value);
  return known ? choices : [{ value: field.value, label: field.value }, ...choices];
}

function Control(bound: Bound) {
  const { row, field, model, problems } = bound;
  const { format } = useDateFormat();
  switch (row.control) {
    case 'day':
      return <DateField {...field} format={format} />;
    case 'text':
      return <TextField {...field} />;
    case 'notes':
      return <TextArea {...field} rows={2} />;
    case 'money':
      return <MoneyField {...field} />;
    case 'percent':
      return <PercentField {...field} />;
    case 'rate':
      return <RateField model={model} field={field} />;
    case 'flag':
      return (
        <Checkbox
          label={t(row.label)}
          checked={field.value === 'true'}
          help={t(row.help)}
          error={field.error}
          onChange={(on) => field.onChange(on ? 'true' : '')}
        />
      );
    case 'state':
      return <SelectField {...field} choices={states} empty={t('As the law says')} />;
    case 'choice':
      return <SelectField {...field} choices={choicesOf(bound)} empty={t('Choose')} />;
    case 'tds':
    case 'tcs':
      return <SectionField {...bound} />;
    case 'ecommerceOperator':
      return <EcommerceField {...bound} />;
    case 'currency':
      return <CurrencyField {...bound} />;
    case 'ledger':
      return <LedgerField {...bound} />;
    case 'costCentre':
      return <CostCentreField {...bound} />;
    case 'document':
      return <DocumentField {...bound} />;
    case 'location':
      return <LocationField {...bound} />;
    case 'address':
      return <AddressField {...bound} />;
    case 'customs':
      return (
        <Customs model={model} problems={problems}>
          <Parts model={model} problems={problems} path="customs" parts={customsParts} money />
        </Customs>
      );
    case 'creditReversed':
      return <CreditReversed {...bound} />;
    case 'transport':
      return <Parts model={model} problems={problems} path="fields" parts={transportParts} />;
  }
}

/** Sections of the day of the document, each with its rate. */
function SectionField({ model, field, row }: Bound) {
  const date = useHead(model, 'date');
  const listed = row.control === 'tds' ? tdsChoices(date) : tcsChoices(date);
  const choices = listed.map(({ section, name, rate }) => ({
    value: section,
    label: `${t(section)} ${name}, ${percentOf(rate)} %`,
  }));
  const known = field.value === '' || choices.some(({ value }) => value === field.value);
  const all = known ? choices : [{ value: field.value, label: field.value }, ...choices];
  return (
    <>
      <SelectField {...field} choices={all} empty={t('None')} />
      {row.control === 'tds' && field.value !== '' && <Thresholds model={model} section={field.value} />}
      {row.control === 'tcs' && field.value !== '' && <EachAbove section={field.value} date={date} />}
    </>
  );
}

/** Goods below this value each bear no tax under the section. */
function EachAbove({ section, date }: { readonly section: string; readonly date: string }) {
  const above = tcsEachAbove(section, date);
  return above === undefined ? null : (
    <p className="muted" role="status">
      {t('Only goods above {{above}} each, GST included.', { above: rupees(moneyText(above)) })}
    </p>
  );
}

/** What the thresholds of the section ask for; it is taken over where something else is deducted. */
function Thresholds({ model, section }: { readonly model: Model; readonly section: string }) {
  const facts = useFacts(model);
  const head = useWholeHead(model);
  const priced = usePriced(model);
  const party = facts.parties.get(head['party'] ?? '');
  if (!party) return null;
  const typed = (name: string) => paise(parseDecimal(head[name] ?? '', 2) ?? 0);
  const money = model.kind.lines.of === 'none';
  const amount = money ? paise(typed('amount') + typed('tdsAmount')) : (priced?.value ?? paise(0));
  const most = money || !priced ? undefined : paise(priced.payable + priced.tds);
  const settles = money && model.allocations.rows().some((row) => row['amount']);
  const worked = money && !settles && !head['tdsAmount'] && (head['currency'] ?? 'INR') === 'INR';
  const advice = worked
    ? tdsOnPayment(section, head['date'] ?? '', amount, party.deducted, party)
    : tdsAdvice(section, head['date'] ?? '', amount, party.deducted, party, most);
  const deducts = worked ? (advice?.tds ?? 0) : money ? typed('tdsAmount') : (priced?.tds ?? 0);
  const lower = party.hasPan ? lowerOf(party.certificates, section, head['date'] ?? '', amount) : undefined;
  const certificate = lower
    ? t('Certificate {{number}}: {{rate}} % on {{base}}.', {
        number: lower.number,
        rate: percentOf(lower.rate),
        base: rupees(moneyText(lower.base)),
      })
    : '';
  if (!advice || amount === 0) return null;
  const limit = advice.threshold === undefined ? '' : ` of the ${rupees(moneyText(advice.threshold))} threshold`;
  return (
    <p className="muted" role="status">
      {t('{{certificate}} With {{before}} before{{limit}}: deduct {{tds}}.', {
        certificate,
        before: rupees(moneyText(advice.before)),
        limit,
        tds: rupees(moneyText(advice.tds)),
      })}{' '}
      {advice.tds !== deducts && (
        <Button onClick={() => model.head.set({ tdsAmount: moneyText(advice.tds) })}>{t('Take over')}</Button>
      )}
    </p>
  );
}

/** The GSTIN of an e-commerce operator: of a party of that category, or as it is typed. */
function EcommerceField({ field }: Bound) {
  const search = usePick('ecommerceOperator');
  return (
    <ComboboxField
      {...field}
      onLeft={(text) => text !== '' && field.onChange(text.trim().toUpperCase())}
      value={field.value ? { id: field.value, name: field.value } : null}
      search={search}
      placeholder={t('Name or GSTIN')}
      onChange={(option) => field.onChange(option?.id ?? '')}
    />
  );
}

function CurrencyField({ model, field }: Bound) {
  const { data = [] } = useCall<readonly { code: string; name: string }[]>('lookups/GetCurrencies');
  const choices = data.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));
  return (
    <SelectField
      {...field}
      onChange={(currency) => chooseCurrency(model, currency)}
      choices={choices.length ? choices : [{ value: field.value, label: field.value }]}
    />
  );
}

function LedgerField({ model, field }: Bound) {
  const facts = useFacts(model);
  const [chosen, setChosen] = useState<Option | null>(null);
  const search = usePick('moneyLedger');
  const known = facts.ledgers.get(field.value) ?? (chosen?.id === field.value ? chosen : null);
  const pick = (option: Option | null) => {
    setChosen(option);
    model.head.set({ [leftAt(field.name ?? '')]: '' });
    field.onChange(option?.id ?? '');
  };
  const create = useMaking('ledger', t('Ledger'), pick);
  return (
    <ComboboxField
      {...field}
      leftText={useHead(model, leftAt(field.name ?? ''))}
      onLeft={(text) => model.head.set({ [leftAt(field.name ?? '')]: text })}
      value={field.value ? { id: field.value, name: known?.name ?? '' } : null}
      search={search}
      create={create}
      placeholder={t('Name or code')}
      onChange={pick}
    />
  );
}

function CostCentreField({ model, field }: Bound) {
  const facts = useFacts(model);
  const [chosen, setChosen] = useState<Option | null>(null);
  const search = usePick('costCentre');
  const known = facts.costCentres.get(field.value) ?? (chosen?.id === field.value ? chosen : null);
  const pick = (option: Option | null) => {
    setChosen(option);
    model.head.set({ costCentre: option?.id ?? '', [leftAt('costCentre')]: '' });
  };
  const create = useMaking('costCentre', t('Cost centre'), pick);
  return (
    <ComboboxField
      {...field}
      leftText={useHead(model, leftAt('costCentre'))}
      onLeft={(text) => model.head.set({ [leftAt('costCentre')]: text })}
      value={field.value ? { id: field.value, name: known?.name ?? '' } : null}
      search={search}
      create={create}
      placeholder={t('Name or code')}
      onChange={pick}
    />
  );
}

function DocumentField({ model, field }: Bound) {
  const party = useHead(model, 'party');
  const shown = useHead(model, '_against');
  const key = useScreenKey('against', field.value);
  // A continued document names its source by id only: its number is fetched.
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => api.GetTransactionDetailForInvoice({ TransactionId: field.value }),
    enabled: field.value !== '' && shown === '',
  });
  const search = useDocumentSearch(model.kind.source.kinds, party);
  const typed = useTypedReturn(model);
  // why the document chosen has nothing to take over
  const [refused, setRefused] = useState({ id: '', why: '' });
  const without = (id: string) => (error: unknown) =>
    error instanceof Refused ? setRefused({ id, why: error.message }) : toastError(error);
  return (
    <ComboboxField
      {...field}
      error={field.error ?? (refused.id !== '' && refused.id === field.value ? refused.why : undefined)}
      required={field.required || (model.kind.source.givesPrice && !typed)}
      leftText={useHead(model, leftAt('against'))}
      onLeft={(text) => model.head.set({ [leftAt('against')]: text })}
      value={field.value ? { id: field.value, name: shown || (data?.number ?? '') } : null}
      search={search}
      placeholder={t('Number or party')}
      onChange={(option) => {
        const besides = option ? emptiedBeside(model.kind, 'against') : {};
        model.head.set({ against: option?.id ?? '', _against: option?.name ?? '', ...besides });
        setRefused({ id: '', why: '' });
        if (option) fillFrom(model, option).catch(without(option.id));
      }}
    />
  );
}

function LocationField({ model, field }: Bound) {
  const { locations } = model.session;
  const here = useHead(model, 'location');
  const choices = locations
    .filter((l) => l.isPhysical && l.id !== here)
    .map((l) => ({ value: l.id, label: `${l.code} – ${l.name}` }));
  const change = (id: string) =>
    model.head.set({ toLocation: id, toRegistration: locations.find((l) => l.id === id)?.registration ?? '' });
  return <SelectField {...field} choices={choices} empty={t('Choose')} onChange={change} />;
}

/** An address: one of the party's on record, or as it is typed. */
function AddressField({ model, problems, field }: Bound) {
  const path = field.name ?? '';
  const facts = useFacts(model);
  const party = useHead(model, 'party');
  const typed = useWholeHead(model);
  const onRecord = addressesFor(path, facts.parties.get(party)?.addresses ?? []);
  // who is billed is the party: its name and GSTIN are not typed a second time
  const shown = path === 'billTo' ? addressParts.filter(([part]) => part !== 'name' && part !== 'gstin') : addressParts;
  const chosen = onRecord.findIndex((address) =>
    shown.every(([part]) => part === 'name' || (typed[`${path}.${part}`] ?? '') === textOf(address[part])),
  );
  const choose = (at: string) => {
    const address = onRecord[Number(at)] ?? {};
    const parts = shown.filter(([part]) => part !== 'name');
    model.head.set(
      Object.fromEntries(parts.map(([part]) => [`${path}.${part}`, at === '' ? '' : textOf(address[part])])),
    );
  };
  return (
    <>
      {onRecord.length > 0 && (
        <SelectField
          label={t('{{label}}: address on record', { label: t(field.label) })}
          span={2}
          value={chosen < 0 ? '' : String(chosen)}
          choices={onRecord.map((address, at) => ({ value: String(at), label: inOneLine(address) }))}
          empty={t('As typed below')}
          onChange={choose}
        />
      )}
      <Parts model={model} problems={problems} path={path} parts={shown} />
    </>
  );
}

const textOf = (value: unknown): string => (value == null ? '' : String(value));
const inOneLine = (address: Readonly<Record<string, unknown>>): string =>
  ['line1', 'line2', 'city', 'pincode']
    .map((part) => textOf(address[part]))
    .filter(Boolean)
    .join(', ');
/** Those of the right type first: goods go to a shipping address, bills to any other. */
const addressesFor = (path: string, all: readonly Readonly<Record<string, unknown>>[]) => {
  const fits = ({ type }: Readonly<Record<string, unknown>>) =>
    path === 'shipTo' ? type !== 'billing' : type !== 'shipping';
  return [...all.filter(fits), ...all.filter((address) => !fits(address))];
};

/** Several texts under one name: an address, the bill of entry's figures. */
/** Asked for only where the reason loses the credit; left empty, it is that of the last bills. */
function CreditReversed({ model, problems }: Bound) {
  const head = useWholeHead(model);
  const reason = head['fields.adjustmentReason'] ?? '';
  if (!losesCredit(model.kind, { fields: { adjustmentReason: reason } })) return null;
  return (
    <>
      <p className="muted" data-span="4">
        {t(
          'No input credit stays on these goods (section 17(5)(h)). Left empty, the credit of their last bills is reversed.',
        )}
      </p>
      <Parts model={model} problems={problems} path="creditReversed" parts={creditParts} money />
    </>
  );
}

function Parts({
  model,
  problems,
  path,
  parts,
  money = false,
}: Props & {
  readonly path: string;
  readonly parts: readonly (readonly [string, string])[];
  readonly money?: boolean;
}) {
  return (
    <div className="fields" data-span="4">
      {parts.map(([name, label]) => (
        <Part key={name} model={model} problems={problems} path={`${path}.${name}`} label={t(label)} money={money} />
      ))}
    </div>
  );
}

function Part({
  model,
  problems,
  path,
  label,
  money,
}: Props & { readonly path: string; readonly label: string; readonly money: boolean }) {
  const field = useField(model, problems, path, label);
  if (money) return <MoneyField {...field} />;
  return path.endsWith('.state') ? (
    <SelectField {...field} choices={states} empty={t('Choose')} />
  ) : (
    <TextField {...field} />
  );
}
