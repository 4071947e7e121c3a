import { formatDecimal, parseDecimal } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import { amountInWords } from '../../../domain/base/words.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { reasonInWords } from '../../../domain/document/reasons.ts';
import { stateName } from '../../../domain/tax/gst/registration/states.ts';
import { additionalOf, useAdditionalFields, useAdditionalText } from '../../kit/fields/additional.ts';
import { inCurrency, money, plainNumber, rupees } from '../../kit/format.ts';
import { figures, ScrollX, TableHead } from '../../kit/parts.tsx';
import { useDateFormat, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { Shown } from '../DocumentView.tsx';
import { customsParts, headFields } from '../editor/head/headFields.ts';
import { RecordLink } from '../master/RecordLink.tsx';
import { Changes } from './Changes.tsx';
import { Revalued } from './Revalued.tsx';

const isZero = (text: string) => parseDecimal(text, 6) === 0;

/** The document as it looks on paper. The legal paper is the server's PDF. */
export function Sheet({ document, kind }: { readonly document: Shown; readonly kind: Kind }) {
  const { organisation } = useSession();
  const { show } = useDateFormat();
  const added = useAdditionalFields(document.kind) ?? [];
  const said = useAdditionalText();
  const values = additionalOf(document.body);
  // an organisation that keeps no stock sees what was typed
  const changes = kind.stock.effect === 'adjust' && document.movements.length > 0;
  const facts: readonly (readonly [string, string])[] = [
    [t('Number'), document.number || t('Draft')],
    [t('Date'), show(document.date)],
    ...(document.destination
      ? ([
          [t('From'), document.location.name],
          [t('To'), document.destination.name],
        ] as const)
      : []),
    ...(document.dueDate ? [[t('Due'), show(document.dueDate)] as const] : []),
    ...(document.money === null ? [] : [[headFields.moneyLedger.label, document.money] as const]),
    ...headFacts(document, kind, show),
    ...added.flatMap((field): readonly (readonly [string, string])[] => {
      const text = said(field, values[field.key]);
      return text ? [[field.label, text]] : [];
    }),
  ];
  return (
    <article className="sheet" aria-label={`${t(kind.label)} ${document.number}`}>
      <header>
        <div>
          <h2>{organisation.name}</h2>
          <p className="muted">
            {document.registration.gstin ? `${t('GSTIN {{gstin}}', { gstin: document.registration.gstin })} · ` : ''}
            {stateName(document.registration.state)}
          </p>
        </div>
        <p className="sheet-kind">{t(kind.label)}</p>
      </header>
      <div className="sheet-head">
        {document.party && (
          <div>
            <span className="muted">{kind.party.side === 'supplier' ? t('Supplier') : t('Customer')}</span>
            <b>
              <RecordLink master={kind.party.side} id={document.party.id}>
                {document.party.name}
              </RecordLink>
            </b>
            {document.party.gstin && (
              <span className="code">{t('GSTIN {{gstin}}', { gstin: document.party.gstin })}</span>
            )}
          </div>
        )}
        <dl className="facts">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {changes && <Changes document={document} />}
      {document.lines.length > 0 && kind.lines.of !== 'ledgers' && !changes && (
        <Lines document={document} carried={kind.life.cycle !== 'posted' && !document.draft && !document.cancelled} />
      )}
      {kind.lines.of === 'ledgers' && <Entries document={document} />}
      {document.priced && kind.lines.of !== 'ledgers' && !changes && <Foot document={document} />}
    </article>
  );
}

/** The currency that a document is written in; its books are in rupees. */
export const currencyOf = ({ body }: Pick<Shown, 'body'>): string => String(body['currency'] ?? 'INR');

/** Values of the head's plain fields, by their labels. */
const headFacts = (
  document: Shown,
  kind: Kind,
  show: (day: string) => string,
): readonly (readonly [string, string])[] =>
  kind.fields.flatMap((name): readonly (readonly [string, string])[] => {
    const row = headFields[name];
    const value = row.path
      .split('.')
      .reduce<unknown>((at, part) => (at as Readonly<Record<string, unknown>> | undefined)?.[part], document.body);
    const inRupees = (row.control === 'rate' || row.control === 'currency') && document.body['currency'] === 'INR';
    if (inRupees || name === 'dueDate' || value == null || value === '' || value === false) return [];
    if (row.control === 'flag') return [[row.label, t('Yes')]];
    if (row.control === 'state') return [[row.label, stateName(String(value)) ?? String(value)]];
    if (row.control === 'day') return [[row.label, show(String(value))]];
    if (row.control === 'money') return [[row.label, inCurrency(String(value), currencyOf(document))]];
    if (row.control === 'costCentre') return [[row.label, document.costCentres[String(value)] ?? '']];
    if (row.control === 'customs') return customsFacts(value as Readonly<Record<string, string>>);
    if (name === 'reason') return [[row.label, reasonInWords(String(value))]];
    const choice = row.choices?.find(([code]) => code.toLowerCase() === String(value).toLowerCase())?.[1];
    const source = document.body['exchangeSource'];
    if (row.control === 'rate') return [[row.label, `${plainNumber(String(value))}${source ? ` (${source})` : ''}`]];
    const lower = document.body['tdsLower'] as { readonly number: string; readonly rate: string } | undefined;
    if (row.control === 'tds' && lower)
      return [
        [row.label, String(value)],
        [t('Certificate (s. 197)'), `${lower.number}: ${plainNumber(lower.rate)} %`],
      ];
    if (row.control === 'tds') return [[row.label, String(value)]];
    return ['text', 'notes', 'percent', 'currency', 'choice', 'ecommerceOperator'].includes(row.control)
      ? [[row.label, choice ?? String(value)]]
      : [];
  });

/** How much of each line of the purchase a bill of entry covers. */
const coveredFacts = (covers: unknown): readonly (readonly [string, string])[] => {
  const said = Object.entries((covers ?? {}) as Readonly<Record<string, string>>).filter(([, n]) => !isZero(n));
  const words = said
    .map(([line, quantity]) => t('{{quantity}} of line {{line}}', { quantity: plainNumber(quantity), line }))
    .join(', ');
  return covers ? [[t('Covers'), words || t('No goods: further duty')]] : [];
};

/** The figures of a bill of entry, which are in rupees. */
const customsFacts = (customs: Readonly<Record<string, string>>): readonly (readonly [string, string])[] => [
  ...(customs['currency'] && customs['invoice'] && customs['rate']
    ? [
        [
          t('Assessed on'),
          t('{{invoice}} at the customs rate {{rate}}', {
            invoice: inCurrency(customs['invoice'], customs['currency']),
            rate: plainNumber(customs['rate']),
          }),
        ] as const,
      ]
    : []),
  ...coveredFacts(customs['covers']),
  ...customsParts.flatMap(([name, label]) => (customs[name] ? [[label, money(customs[name])] as const] : [])),
];

/** The taxes of a line in words: "IGST 18 %", or "GST 18 %" for both halves where the supply stays in the state. */
const taxesOf = (line: Shown['lines'][number]): string => {
  if (!isZero(line.igst)) return `IGST ${plainNumber(line.gstRate)} %`;
  return isZero(line.cgst) ? '' : `GST ${plainNumber(line.gstRate)} %`;
};

const taxOf = (line: Shown['lines'][number]): string =>
  formatDecimal(
    [line.cgst, line.sgst, line.igst, line.cess].reduce((sum, text) => sum + (parseDecimal(text, 2) ?? 0), 0),
    2,
  );

/** Whether its registration has a GSTIN: without one there is no GST to show. */
const isUnderGst = ({ registration }: Shown): boolean => registration.gstin !== null;
/** Tax of a line is always shown. */
const bearsTax = (document: Shown): boolean =>
  isUnderGst(document) || document.lines.some((line) => !isZero(taxOf(line)));

interface TypedLine {
  readonly costCentre?: string;
  readonly batches?: readonly { readonly batch: string; readonly quantity: string; readonly expiry?: string }[];
  readonly serials?: readonly string[];
  readonly creditBlocked?: boolean;
}
/** Which goods of a line moved: its batches and serial numbers, as they were typed, and when they expire; and whether its tax is cost. */
const partsOf = (
  document: Shown,
  { number, expiries }: Shown['lines'][number],
  show: (day: string) => string,
): readonly string[] => {
  const {
    batches = [],
    serials = [],
    creditBlocked,
  } = ((document.body['lines'] ?? []) as readonly TypedLine[])[number - 1] ?? {};
  return [
    ...batches.map(
      ({ batch, quantity, expiry = expiries.find((known) => known.batch === batch)?.expiry }) =>
        `Batch ${batch}: ${plainNumber(quantity)}${expiry ? `, expires ${show(expiry)}` : ''}`,
    ),
    ...(serials.length > 0 ? [`Serial ${serials.join(', ')}`] : []),
    ...(creditBlocked ? [t('Input credit blocked')] : []),
  ];
};

/** The cost centre that a line names itself. */
const centreOf = ({ body, costCentres }: Shown, { number }: Shown['lines'][number]): string | undefined => {
  const { costCentre = '' } = ((body['lines'] ?? []) as readonly TypedLine[])[number - 1] ?? {};
  return costCentres[costCentre];
};

/** What is still waited for of a line that was carried out in part. */
const leftOf = (line: Shown['lines'][number]): string | undefined => {
  return isZero(line.openQuantity) || line.openQuantity === line.quantity
    ? undefined
    : t('{{openQuantity}} left', { openQuantity: plainNumber(line.openQuantity) });
};

function Lines({ document, carried }: { readonly document: Shown; readonly carried: boolean }) {
  const { show } = useDateFormat();
  const currency = currencyOf(document);
  const abroad = currency !== 'INR';
  // goods at cost bear no tax
  const priced = !document.priced?.atCost;
  const taxed = priced && bearsTax(document);
  const valued = priced && (taxed || abroad);
  return (
    <ScrollX label={t('Lines')}>
      <table className="plain-table sheet-lines">
        <TableHead
          columns={[
            '#',
            t('Description'),
            figures(t('Quantity')),
            figures(priced ? (abroad ? t('Rate ({{currency}})', { currency }) : t('Rate')) : t('Cost of one')),
            valued && figures(taxed ? (abroad ? t('Taxable (₹)') : t('Taxable')) : t('Value (₹)')),
            taxed && figures(t('Tax')),
            figures(priced ? t('Total') : t('Cost')),
          ]}
        />
        <tbody>
          {document.lines.map((line) => (
            <tr key={line.number}>
              <td className="sheet-number">{line.number}</td>
              <td>
                <RecordLink master="item" id={line.item ?? ''}>
                  {line.description}
                </RecordLink>
                <span className="sheet-note code">
                  {[line.sku, isUnderGst(document) && line.hsn && `HSN ${line.hsn}`].filter(Boolean).join(' · ')}
                </span>
                {carried && line.closed !== null && (
                  <span className="sheet-note">{t('Closed: {{closed}}', { closed: line.closed })}</span>
                )}
                {[
                  ...(line.room ? [`Room ${line.room}`] : []),
                  ...(centreOf(document, line)
                    ? [t('Cost centre {{document}}', { document: centreOf(document, line) })]
                    : []),
                  ...partsOf(document, line, show),
                ].map((text) => (
                  <span key={text} className="sheet-note">
                    {text}
                  </span>
                ))}
              </td>
              <td className="num" data-label={t('Quantity')}>
                {plainNumber(line.quantity)}
                <span className="sheet-note">{line.unit}</span>
                {carried && leftOf(line) && <span className="sheet-note">{leftOf(line)}</span>}
              </td>
              <td
                className="num"
                data-label={priced ? (abroad ? t('Rate ({{currency}})', { currency }) : t('Rate')) : t('Cost of one')}
              >
                {money(line.rate)}
              </td>
              {valued && (
                <td className="num" data-label={taxed ? t('Taxable') : t('Value (₹)')}>
                  {money(line.taxable)}
                </td>
              )}
              {taxed && (
                <td className="num" data-figure="tax" data-label={t('Tax')}>
                  {money(taxOf(line))}
                  <span className="sheet-note">{taxesOf(line)}</span>
                </td>
              )}
              <td
                className="num"
                data-figure={priced ? 'total' : undefined}
                data-label={priced ? t('Total') : t('Cost')}
              >
                {money(line.total)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function Entries({ document }: { readonly document: Shown }) {
  const { show } = useDateFormat();
  const ofParties = document.entries.some((entry) => entry.party);
  const ofCentres = document.entries.some((entry) => entry.costCentre);
  const withDues = document.entries.some((entry) => entry.due);
  const sumOf = (side: 'debit' | 'credit') =>
    money(
      formatDecimal(
        document.entries.reduce((sum, entry) => sum + (parseDecimal(entry[side], 2) ?? 0), 0),
        2,
      ),
    );
  return (
    <ScrollX label={t('Entries')}>
      <table className="plain-table">
        <TableHead
          columns={[
            t('Ledger'),
            ofParties && t('Party'),
            ofCentres && t('Cost centre'),
            withDues && t('Bill'),
            withDues && t('Due'),
            figures(t('Debit (₹)')),
            figures(t('Credit (₹)')),
            withDues && figures(t('Open (₹)')),
          ]}
        />
        <tbody>
          {document.entries.map(({ due, ...entry }) => (
            <tr key={entry.leg}>
              <td>
                <span className="code muted">{entry.code}</span> {entry.name}
              </td>
              {ofParties && <td>{entry.party}</td>}
              {ofCentres && <td>{entry.costCentre}</td>}
              {withDues && (
                <td>
                  {due?.number} <span className="muted one-line">{due ? show(due.date) : ''}</span>
                </td>
              )}
              {withDues && <td className="one-line">{due?.dueDate ? show(due.dueDate) : ''}</td>}
              <td className="num">{isZero(entry.debit) ? '' : money(entry.debit)}</td>
              <td className="num">{isZero(entry.credit) ? '' : money(entry.credit)}</td>
              {withDues && <td className="num">{due ? money(due.open) : ''}</td>}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={1 + Number(ofParties) + Number(ofCentres) + 2 * Number(withDues)}>{t('Total')}</td>
            <td className="num">{sumOf('debit')}</td>
            <td className="num">{sumOf('credit')}</td>
            {withDues && <td />}
          </tr>
        </tfoot>
      </table>
    </ScrollX>
  );
}

/** What the value of the lines is for GST. Where tax is inside a retail price, it is another than the taxable value. */
function valueLabel(document: Shown): string {
  if (!bearsTax(document)) return t('Value of the lines');
  return document.priced?.charged ? t('Value charged') : t('Taxable value');
}

function Foot({ document }: { readonly document: Shown }) {
  const { priced } = document;
  if (!priced) return null;
  const currency = currencyOf(document);
  const rows: readonly (readonly [label: string, amount: string, key?: string])[] = [
    [t('Discount'), priced.discount],
    [valueLabel(document), priced.atCost ? '0' : (priced.charged ?? priced.taxable)],
    ['CGST', priced.cgst],
    ['SGST', priced.sgst],
    ['IGST', priced.igst],
    [t('Cess'), priced.cess],
    ['TCS', priced.tcs],
    ...(priced.adjustments ?? []).map(({ name, amount }, at) => [name, amount, `adjustment ${at}`] as const),
    [t('Round off'), priced.roundOff],
  ];
  return (
    <footer className="sheet-foot">
      <p className="muted">{amountInWords(paise(parseDecimal(priced.total, 2) ?? 0))}</p>
      <dl className="sums">
        {rows
          .filter(([, value]) => !isZero(value))
          .map(([label, value, key = label]) => (
            <div key={key}>
              <dt>{t(label)}</dt>
              <dd className="num">{money(value)}</dd>
            </div>
          ))}
        <div data-grand>
          <dt>{priced.atCost === 'estimated' ? t('Estimated value') : t('Total')}</dt>
          <dd className="num">{rupees(priced.total)}</dd>
        </div>
        <Revalued priced={priced} />
        {priced.charged && (
          <div>
            <dt>{t('Deemed taxable value (rule 31D)')}</dt>
            <dd className="num">{money(priced.taxable)}</dd>
          </div>
        )}
        {currency !== 'INR' && (
          <div>
            <dt>{currency}</dt>
            <dd className="num">{money(priced.foreignTotal)}</dd>
          </div>
        )}
        {priced.vat && (
          <div>
            <dt>{t('VAT {{rate}} % ({{currency}})', { rate: plainNumber(priced.vat.rate), currency })}</dt>
            <dd className="num">{money(priced.vat.foreign)}</dd>
          </div>
        )}
      </dl>
    </footer>
  );
}
