import { type ReactNode, useEffect, useState } from 'react';
import { millionths, moneyText, parseDecimal, quantityText } from '../../../../domain/base/decimal.ts';
import { paise, scale, sum } from '../../../../domain/base/money.ts';
import { assess, coveredLines } from '../../../../domain/tax/customs.ts';
import { Button } from '../../../kit/Button.tsx';
import { QuantityField } from '../../../kit/fields/fields.tsx';
import { plainNumber, rupees } from '../../../kit/format.ts';
import { type Problem, problemAt } from '../../../kit/server/api.ts';
import { t } from '../../../kit/text.ts';
import type { KnownSource } from '../facts.ts';
import { type Model, useFacts, useWholeHead } from '../model.ts';
import type { Texts } from '../wire.ts';
import { AssessedAt } from './AssessedAt.tsx';

interface Props {
  readonly model: Model;
  readonly problems: readonly Problem[];
}

const coversPath = (line: number): string => `customs.covers.${line}`;
const coversIn = (head: Texts): Readonly<Record<string, ReturnType<typeof millionths>>> | undefined => {
  const said = Object.entries(head).filter(([field, text]) => field.startsWith('customs.covers.') && text !== '');
  if (said.length === 0) return undefined;
  return Object.fromEntries(
    said.map(([field, text]) => [field.split('.').at(-1) ?? '', millionths(parseDecimal(text, 6) ?? 0)]),
  );
};
type Goods = KnownSource & { readonly goods: NonNullable<KnownSource['goods']> };
const hasGoods = (source: KnownSource): source is Goods => source.goods !== undefined;
const entryGoods = (goods: readonly Goods[]) =>
  goods.map(({ line, quantity, goods: { name, unit, left } }) => ({ line, quantity, name, unit, left }));

/** The figures of the bill of entry, which goods they are for, and what the rates of the goods let expect of them. */
export function Customs({ model, problems, children }: Props & { readonly children: ReactNode }) {
  const facts = useFacts(model);
  const head = useWholeHead(model);
  const amount = (name: string) => paise(parseDecimal(head[`customs.${name}`] ?? '', 2) ?? 0);
  const [assessable, basic] = [amount('assessable'), amount('basic')];
  const lines = [...facts.sources.values()].filter((source) => source.document === head['against']);
  const goods = lines.filter(hasGoods);
  const covered = coveredLines(lines, coversIn(head), entryGoods(goods));
  const { surcharge, igst } = assess(head['date'] ?? '', assessable, basic, covered);
  const expected = { 'customs.surcharge': moneyText(surcharge), 'customs.igst': moneyText(igst) };
  const differs = surcharge !== amount('surcharge') || igst !== amount('igst');
  return (
    <>
      {goods.length > 0 && <Covered model={model} problems={problems} goods={goods} />}
      {children}
      <AssessedAt model={model} />
      {lines.length > 0 && assessable > 0 && differs && (
        <p className="muted" data-span="4" role="status">
          {t('By the rates of the goods: surcharge {{surcharge}}, IGST {{igst}}.', {
            surcharge: rupees(expected['customs.surcharge']),
            igst: rupees(expected['customs.igst']),
          })}{' '}
          <Button onClick={() => model.head.set(expected)}>{t('Take over')}</Button>
        </p>
      )}
    </>
  );
}

/** Which goods of the purchase this bill of entry covers: all of them, until somebody says less or another has some. */
function Covered({ model, problems, goods }: Props & { readonly goods: readonly Goods[] }) {
  const head = useWholeHead(model);
  const against = head['against'] ?? '';
  const covers = coversIn(head);
  const others = goods.some(({ quantity, goods: { left } }) => left !== quantity);
  const less = goods.some(({ line, quantity }) => covers !== undefined && covers[line] !== quantity);
  const [asked, setAsked] = useState(false);
  const listed = asked || others || less;
  useEffect(() => {
    // what was said of the goods of another purchase goes with it
    const another = head['_coversOf'] !== undefined && head['_coversOf'] !== against;
    const gone = Object.keys(head).filter((field) => field.startsWith('customs.covers.'));
    const all = Object.fromEntries(goods.map(({ line, goods: { left } }) => [coversPath(line), quantityText(left)]));
    if (another) setAsked(false);
    if (another) model.head.set(Object.fromEntries(gone.map((field) => [field, ''])));
    if (another || covers === undefined) model.head.set(all);
    model.head.set({ _coversOf: against, ...(another && { _entry: '' }) });
  }, [model, against, goods, head, covers]);
  const wrong = problemAt(problems, 'customs.covers');
  if (!listed)
    return (
      <p className="muted" data-span="4" role="status">
        {t('It covers all goods of the purchase.')}{' '}
        <Button onClick={() => setAsked(true)}>{t('Only part of them')}</Button>
      </p>
    );
  return (
    <fieldset className="fields" data-span="4">
      <legend>{t('Goods it covers')}</legend>
      {goods.map(({ line, quantity, goods: { name, unit, left } }) => (
        <QuantityField
          key={line}
          label={t('{{name}} ({{unit}}), line {{line}}', { name, unit, line })}
          name={coversPath(line)}
          value={head[coversPath(line)] ?? ''}
          onChange={(text) => model.head.set(covering(head, goods, line, text || '0'))}
          error={problemAt(problems, coversPath(line))}
          help={t('{{left}} left of {{quantity}}', {
            left: plainNumber(quantityText(left)),
            quantity: plainNumber(quantityText(quantity)),
          })}
        />
      ))}
      {wrong && (
        <p className="field-error" data-span="4" role="alert">
          {wrong}
        </p>
      )}
    </fieldset>
  );
}

/** Another quantity: what the goods cost in their currency follows, and the assessable value while it is as it was proposed. */
function covering(head: Texts, goods: readonly Goods[], line: number, text: string): Texts {
  const changed = { ...head, [coversPath(line)]: text };
  const cost = (texts: Texts) => {
    const covers = coversIn(texts) ?? {};
    return sum(goods.map((each) => scale(each.taxable, covers[each.line] ?? 0, each.quantity)));
  };
  const kept =
    head['_entry'] || [head['customs.invoice'] ?? '', head['customs.assessable'] ?? '', cost(head)].join('/');
  const [invoice = '', assessable = '', before = '0'] = kept.split('/');
  const at = (base: string, texts: Texts) =>
    moneyText(scale(parseDecimal(base, 2) ?? 0, cost(texts), Math.max(Number(before), 1)));
  const untouched = at(assessable, head) === moneyText(parseDecimal(head['customs.assessable'] ?? '', 2) ?? 0);
  return {
    ...{ [coversPath(line)]: text, _entry: kept },
    ...(Number(before) > 0 && invoice && { 'customs.invoice': at(invoice, changed) }),
    ...(Number(before) > 0 && assessable && untouched && { 'customs.assessable': at(assessable, changed) }),
  };
}
