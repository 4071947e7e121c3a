import { type Said, say } from '../../../base/say.ts';
import type { Day } from '../../../document/document.ts';
import { endedHeadings, lastHeadings, serviceHeadings } from '../../../facts/hsn-headings.ts';

/**
 * Chapters of the tariff of goods; 77 is reserved, 98 and 99 hold project imports and services (First Schedule to the
 * Customs Tariff Act).
 */
const isChapterOfGoods = (chapter: number): boolean => chapter >= 1 && chapter <= 98 && chapter !== 77;

const DIGITS = /^(\d{4}|\d{6}|\d{8})$/;

/**
 * What is wrong with an HSN or SAC; undefined when nothing is. Structure and chapter are checked; headings by
 * `isListed`. `service` undefined: either will do.
 */
export function hsnProblem(code: string, service: boolean | undefined, digits: 4 | 6 = 4): Said | undefined {
  if (!DIGITS.test(code)) return say('An HSN has 4, 6 or 8 digits');
  const isService = code.startsWith('99');
  if (service === true && !isService)
    return say('A service has a SAC, which begins with 99: {{code}} is a code of goods', { code });
  if (service === false && isService)
    return say('{{code}} is a SAC, the code of a service: goods have an HSN', { code });
  if (!isService && !isChapterOfGoods(Number(code.slice(0, 2))))
    return say('There is no HSN {{code}}: chapter {{chapter}} does not exist', { code, chapter: code.slice(0, 2) });
  if (code.slice(2, 4) === '00')
    return say('There is no HSN {{code}}: its heading {{heading}} does not exist', { code, heading: code.slice(0, 4) });
  if (code.length < digits)
    return say('An HSN has at least {{digits}} digits here: the turnover is above ₹5 crore (notification 78/2020-CT)', {
      digits,
    });
  return undefined;
}

/**
 * Whether the heading of a code, its first four digits, is in the lists of headings on a day. No list of all codes of six and eight
 * digits is held (ADR 48).
 */
export function isListed(code: string, day: Day): boolean {
  const heading = code.slice(0, 4);
  if (heading.startsWith('99')) return serviceHeadings.has(heading);
  const { to } = endedHeadings[heading] ?? {};
  if (to !== undefined) return day <= to;
  const number = Number(heading.slice(2));
  return number >= 1 && number <= (lastHeadings[heading.slice(0, 2)] ?? 0);
}
