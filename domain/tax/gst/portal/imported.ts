import { HUNDRED_PERCENT, millionths } from '../../../base/decimal.ts';
import { apportion, type Paise, paise, scale, sum } from '../../../base/money.ts';
import type { Covers, Draft } from '../../../document/document.ts';
import { coveredOf } from '../../customs.ts';
import type { IrpLine } from './irp.ts';

/**
 * The goods of a purchase abroad as a bill of entry values them: what customs assessed with the duties on it shared by
 * what each line cost, and the integrated tax by value and rate. Services do not come through customs, nor what another
 * bill of entry covers. Paise of rupees.
 */
export function importedGoods(lines: readonly IrpLine[], customs: NonNullable<Draft['customs']>): IrpLine[] {
  const goods = lines.flatMap((line, at) => (line.service ? [] : inPart(line, at + 1, customs.covers)));
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

/** A line with as much of it as is covered. */
function inPart(line: IrpLine, number: number, covers: Covers | undefined): readonly IrpLine[] {
  const quantity = coveredOf(covers, number, line.quantity);
  if (quantity === line.quantity) return [line];
  if (quantity <= 0) return [];
  const part = (n: number) => scale(n, quantity, line.quantity);
  const free = line.freeQuantity === undefined ? {} : { freeQuantity: millionths(part(line.freeQuantity)) };
  return [{ ...line, quantity, value: part(line.value), ...free }];
}
