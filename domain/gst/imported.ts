import { HUNDRED_PERCENT } from '../decimal.ts';
import type { Draft } from '../document.ts';
import { apportion, type Paise, paise, scale, sum } from '../money.ts';
import type { IrpLine } from './irp.ts';

/**
 * The goods of a purchase abroad as a bill of entry values them: what customs assessed with the duties on it shared by
 * what each line cost, and the integrated tax by value and rate. Services do not come through customs. Paise of rupees.
 */
export function importedGoods(lines: readonly IrpLine[], customs: NonNullable<Draft['customs']>): IrpLine[] {
  const goods = lines.filter((line) => !line.service);
  const values = apportion(
    sum([customs.assessable, customs.basic, customs.surcharge]),
    goods.map((line) => line.value),
  );
  const taxes = apportion(
    customs.igst,
    goods.map((line, at) => scale(values[at] ?? 0, line.rate, HUNDRED_PERCENT)),
  );
  const none = paise(0);
  return goods.map((line, at) => {
    const [value, igst]: readonly [Paise, Paise] = [values[at] ?? none, taxes[at] ?? none];
    const { batch: _, ...plain } = line;
    return {
      ...plain,
      ...{ value, igst, total: sum([value, igst]), discount: none, cgst: none, sgst: none, cess: none },
      treatment: 'taxable',
    };
  });
}
