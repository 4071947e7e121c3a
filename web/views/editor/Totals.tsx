import { moneyText, percentText } from '../../../domain/base/decimal.ts';
import { amountInWords } from '../../../domain/base/words.ts';
import { foreignOwed } from '../../../domain/books/posting.ts';
import type { Priced } from '../../../domain/document/document.ts';
import { chargedOf } from '../../../domain/document/price.ts';
import { TextField } from '../../kit/fields/fields.tsx';
import { money, rupees } from '../../kit/format.ts';
import { figures, Panel, ScrollX, TableHead } from '../../kit/parts.tsx';
import type { Problem } from '../../kit/server/api.ts';
import { plural, t } from '../../kit/text.ts';
import { type Model, useHead, useIsPlain } from './model.ts';
import { taxRows, totalLabel, uncounted, usePriced } from './totals.ts';

/** Tax by rate, and what the document adds up to, in figures and words. */
export function Totals({
  model,
  problems,
  quick,
}: {
  readonly model: Model;
  readonly problems: readonly Problem[];
  readonly quick: boolean;
}) {
  const priced = usePriced(model);
  const plain = useIsPlain(model);
  if (!priced) return <Panel title={t('Totals')}>{t('An amount is too large or cannot be read.')}</Panel>;
  return (
    <div className="totals-row">
      {!quick && model.kind.gst.tax !== 'none' && !plain && !priced.atCost && <TaxBreakup priced={priced} />}
      <Sums model={model} priced={priced} problems={problems} />
    </div>
  );
}

function TaxBreakup({ priced }: { readonly priced: Priced }) {
  const rows = taxRows(priced);
  const inter = priced.supply === 'inter';
  const heads = inter ? (['igst', 'cess'] as const) : (['cgst', 'sgst', 'cess'] as const);
  return (
    <Panel title={t('Tax breakup')}>
      {rows.length > 0 && (
        <ScrollX label={t('Tax by rate')}>
          <table className="plain-table">
            <TableHead
              columns={[
                t('Rate'),
                figures(t('Taxable (₹)')),
                ...heads.map((head) => figures(`${head === 'cess' ? t('Cess') : head.toUpperCase()} (₹)`)),
              ]}
            />
            <tbody>
              {rows.map((row) => (
                <tr key={row.rate}>
                  <td className="one-line">{row.rate}</td>
                  <td className="num">{money(row.taxable)}</td>
                  {heads.map((head) => (
                    <td key={head} className="num">
                      {money(row[head])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
      <p className="muted">
        {priced.supplyType === 'NONE' || rows.length === 0
          ? ''
          : `${t('Supply type {{supplyType}}.', { supplyType: priced.supplyType })} `}
        {priced.taxCharged
          ? rows.length === 0 && t('The tax of the lines is shown here by rate.')
          : t('Tax is not charged on this document.')}
      </p>
    </Panel>
  );
}

function Sums({
  model,
  priced,
  problems,
}: {
  readonly model: Model;
  readonly priced: Priced;
  readonly problems: readonly Problem[];
}) {
  const discount = useHead(model, 'discount');
  const left = uncounted(model);
  const currency = useHead(model, 'currency');
  const plain = useIsPlain(model);
  const taxed = model.kind.gst.tax !== 'none' && !plain && !priced.atCost;
  const charged = taxed ? chargedOf(priced) : undefined;
  const rows: readonly (readonly [label: string, amount: number, isShown: boolean, key?: string])[] = [
    [t('Gross'), priced.gross, taxed],
    [t('Discount'), -priced.discount, priced.discount !== 0],
    [t('Charges'), priced.chargeTotal, priced.chargeTotal !== 0],
    // of goods that are taxed inside their retail price the taxable value is below, for the column does not add up with it
    charged === undefined
      ? [t('Taxable value'), priced.taxable, taxed]
      : [t('Value charged'), charged, charged !== priced.gross],
    ['CGST', priced.cgst, priced.cgst !== 0],
    ['SGST', priced.sgst, priced.sgst !== 0],
    ['IGST', priced.igst, priced.igst !== 0],
    [t('Cess'), priced.cess, priced.cess !== 0],
    ['TCS', priced.tcs, priced.tcs !== 0],
    ...(priced.adjustments ?? []).map(
      ({ name, amount }, at) => [name || t('Adjustment'), amount, amount !== 0, `adjustment ${at}`] as const,
    ),
    [t('Round off'), priced.roundOff, priced.roundOff !== 0],
    ['TDS', -priced.tds, priced.tds !== 0],
  ];
  return (
    <Panel title={t('Totals')}>
      {model.kind.source.givesPrice ? null : model.kind.books.lineEffect !== 'none' ||
        model.kind.life.cycle === 'ordered' ? (
        <TextField
          label={t('Discount on the document')}
          help={t('An amount, or 10%')}
          value={discount}
          onChange={(text) => model.head.set({ discount: text })}
          name="discount"
          error={problems.find(({ field, row }) => field === 'discount' && row === undefined)?.message}
        />
      ) : null}
      <dl className="sums">
        {rows
          .filter(([, , shown]) => shown)
          .map(([label, value, , key = label]) => (
            <div key={key}>
              <dt>{t(label)}</dt>
              <dd className="num">{money(moneyText(value))}</dd>
            </div>
          ))}
        <div data-grand>
          <dt>{totalLabel(priced)}</dt>
          <dd className="num">{rupees(moneyText(priced.total))}</dd>
        </div>
        {charged !== undefined && (
          <div>
            <dt>{t('Deemed taxable value (rule 31D)')}</dt>
            <dd className="num">{money(moneyText(priced.taxable))}</dd>
          </div>
        )}
        {currency !== 'INR' && (
          <div>
            <dt>{currency}</dt>
            <dd className="num">{money(moneyText(priced.foreignTotal))}</dd>
          </div>
        )}
        {priced.vat && (
          <>
            <div>
              <dt>{t('VAT {{rate}} % ({{currency}})', { rate: percentText(priced.vat.rate), currency })}</dt>
              <dd className="num">{money(moneyText(priced.vat.foreign))}</dd>
            </div>
            <div>
              <dt>{t('To pay ({{currency}})', { currency })}</dt>
              <dd className="num">{money(moneyText(foreignOwed(priced)))}</dd>
            </div>
          </>
        )}
      </dl>
      {left.length > 0 && (
        <p role="status" className="field-error">
          {plural(
            left.length,
            'Line {{left2}} is not counted: a figure is not a number',
            'Lines {{left}} are not counted: a figure is not a number',
            { left: left.join(', '), left2: left[0] },
          )}
        </p>
      )}
      <p className="muted">
        {priced.atCost
          ? t('An estimate: the cost of the goods is known once this is posted.')
          : amountInWords(priced.total)}
      </p>
    </Panel>
  );
}
