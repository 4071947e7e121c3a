// biome-ignore-all format: a table reads best with a row on a line
import type { Dated } from './withholding.ts';

/**
 * Goods and services of which no input tax is credited, as far as a code tells them (section 17(5) of the CGST Act, as amended from
 * 1 February 2019 by the CGST (Amendment) Act 2018). Each clause has exceptions, such as cars that are bought to be sold:
 * somebody says that one applies. Codes: Customs Tariff Act; notification 11/2017-CT(R), annexure. As of November 2026.
 */
export const blockedCredit: readonly (Dated & {
  readonly what: string;
  readonly clause: string;
  readonly hsn: readonly string[];
})[] = [
  { what: 'Motor vehicles for persons', clause: '17(5)(a)', hsn: ['8703', '8711'], from: '2017-07-01' },
  { what: 'Food and catering', clause: '17(5)(b)(i)', hsn: ['99633'], from: '2017-07-01' },
  { what: 'Beauty treatment and physical well-being', clause: '17(5)(b)(i)', hsn: ['99972'], from: '2017-07-01' },
  { what: 'Health services', clause: '17(5)(b)(i)', hsn: ['9993'], from: '2017-07-01' },
  { what: 'Renting of motor vehicles', clause: '17(5)(b)(i)', hsn: ['996601'], from: '2017-07-01' },
  { what: 'Life and health insurance', clause: '17(5)(b)(i)', hsn: ['997132', '997133'], from: '2017-07-01' },
  { what: 'Insurance of motor vehicles', clause: '17(5)(ab)', hsn: ['997134'], from: '2019-02-01' },
  { what: 'Repair and servicing of motor vehicles', clause: '17(5)(ab)', hsn: ['998714'], from: '2019-02-01' },
  { what: 'Membership of a club', clause: '17(5)(b)(ii)', hsn: ['9995'], from: '2017-07-01' },
  { what: 'Construction of a building', clause: '17(5)(c)', hsn: ['99541'], from: '2017-07-01' },
];
