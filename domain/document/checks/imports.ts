import { say } from '../../base/say.ts';
import { hasGst } from '../../tax/gst/registration/registered.ts';
import { billsGoods } from '../../tax/withheld.ts';
import type { GstCategory } from '../document.ts';
import { takesBack } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { isSez } from '../price.ts';
import { isPricedFromSource, sourceIds } from '../sources.ts';
import type { CheckingPriced, Finding, PricedCheck } from './check.ts';
import { isDeclared } from './supply.ts';

/** Whether it may book an import. */
const imports = (kind: Kind, category: GstCategory | undefined): boolean =>
  kind.gst.tax === 'input' && !takesBack(kind) && category === 'overseas';

/** Whether reverse charge is proposed for a new document with these lines: all of them are services from abroad. */
export const proposesReverseCharge = (
  kind: Kind,
  category: GstCategory | undefined,
  services: readonly boolean[],
): boolean =>
  kind.fields.includes('reverseCharge') &&
  kind.paper.form !== 'note' &&
  imports(kind, category) &&
  services.length > 0 &&
  services.every((service) => service);

/** How many taxable lines of goods or of services come from abroad. A note to a document in the books is taxed as that was. */
function linesFromAbroad(checking: CheckingPriced, service: boolean): number {
  const { kind, draft, facts, pricing } = checking;
  if (!imports(kind, facts.party?.category) || !isDeclared(checking) || pricing.withoutTax) return 0;
  if (kind.paper.form === 'note' && sourceIds(draft).length > 0) return 0;
  return pricing.lines.filter((line) => line.service === service && line.treatment === 'taxable').length;
}

/** Integrated tax on imported goods is levied at customs, by the bill of entry, and only there. */
export const importOfGoods: PricedCheck = {
  code: 'importOfGoods',
  weight: 'problem',
  source: 'IGST Act section 5(1), proviso; Customs Tariff Act section 3(7)',
  find: (checking) => {
    if (!checking.pricing.reverseCharge || linesFromAbroad(checking, false) === 0) return [];
    const mixed = linesFromAbroad(checking, true) > 0;
    const message = mixed
      ? say(
          'IGST on imported goods is paid at customs (section 5(1) of the IGST Act): make two documents, one of the goods without ' +
            'reverse charge and one of the services with it',
        )
      : say(
          'IGST on imported goods is paid at customs (section 5(1) of the IGST Act): leave reverse charge out, and enter the bill of entry',
        );
    return [{ field: 'reverseCharge', ...message }];
  },
};

/** Goods from abroad have a kind of their own: duty and tax come with the bill of entry, and their cost goes to imports. */
export const goodsFromAbroad: PricedCheck = {
  code: 'goodsFromAbroad',
  weight: 'problem',
  source: 'IGST Act section 5(1), proviso; Customs Act section 46: goods that are imported have a bill of entry',
  find: ({ kind, draft, facts, pricing, priced }) => {
    // under reverse charge there is a problem of its own
    if (!billsGoods(kind) || kind.paper.form === 'note' || pricing.reverseCharge) return [];
    if (facts.party?.category !== 'overseas' || isPricedFromSource(kind, draft)) return [];
    return priced.lines.flatMap(({ charge, service, value, number }): Finding[] =>
      charge || service || value <= 0
        ? []
        : [
            {
              field: 'lines.item',
              row: number - 1,
              ...say('Goods bought of {{party}}, who is abroad, are an import: enter them as an overseas purchase', {
                party: facts.party?.name,
              }),
            },
          ],
    );
  },
};

/** Of services from abroad the recipient pays the tax. */
export const importOfServices: PricedCheck = {
  code: 'importOfServices',
  weight: 'reason',
  source: 'IGST Act section 5(3); notification 10/2017-IT(R), entry 1',
  find: (checking) => {
    const { own } = checking.facts;
    // services to a SEZ unit for its authorised operations bear none (notification 18/2017-IT(R))
    if (checking.pricing.reverseCharge || !hasGst(own.kind) || own.kind === 'sez') return [];
    if (linesFromAbroad(checking, true) === 0) return [];
    const mixed = linesFromAbroad(checking, false) > 0;
    const message = mixed
      ? say(
          'The recipient pays IGST on services from abroad (section 5(3) of the IGST Act): enter them on a separate document under ' +
            'reverse charge',
        )
      : say('The recipient pays IGST on services from abroad (section 5(3) of the IGST Act): tick reverse charge');
    return [{ field: 'reverseCharge', ...message }];
  },
};

/** What leaves a special economic zone is taxed at customs like what comes from abroad; tax on the bill would count twice. */
export const goodsFromZone: PricedCheck = {
  code: 'goodsFromZone',
  weight: 'reason',
  source: 'SEZ Act 2005, section 30; SEZ Rules 2006, rule 47(4)',
  find: (checking) => {
    const { kind, facts, pricing, priced } = checking;
    if (kind.gst.tax !== 'input' || takesBack(kind) || !isDeclared(checking) || facts.own.kind === 'sez') return [];
    if (!isSez(pricing.party.category) || (kind.paper.form === 'note' && sourceIds(checking.draft).length > 0))
      return [];
    return priced.lines.flatMap((line): Finding[] => {
      if (line.charge || line.service || line.treatment !== 'taxable' || line.cgst + line.sgst + line.igst === 0)
        return [];
      const message = say(
        'Tax on goods of a SEZ is paid at customs (section 30 of the SEZ Act): choose zero rated here, and enter the bill of entry',
      );
      return [{ field: 'lines.treatment', row: line.number - 1, ...message }];
    });
  },
};
