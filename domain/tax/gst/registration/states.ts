import { type Said, say } from '../../../base/say.ts';
import { stateRows } from '../../../facts/states.ts';

/** The name of a two-digit state code, or undefined when there is no such code. */
export const stateName = (code: string): string | undefined => stateRows.find((row) => row.code === code)?.name;

/** A state code as the law writes it: '7' and '07' are both '07'. Undefined when it is no known state. */
export const stateCodeOf = (text: string): string | undefined => {
  const code = text.trim().padStart(2, '0');
  return stateName(code) === undefined ? undefined : code;
};

/** Codes that are no place of supply any more, with their last day: until then tax of that place was shown under them. */
const placeUntil: Readonly<Record<string, string>> = {
  // merged with 26 on 26-01-2020; transition until the end of July (notifications 10/2020 and 45/2020, central tax)
  '25': '2020-07-31',
  // undivided Andhra Pradesh; never under GST, which it joined as 37
  '28': '2017-06-30',
};
/** Why a code is no place of supply on a day, with what to do; undefined where it is one. `abroad`: the other party is abroad. */
export const placeProblem = (code: string, day: string, abroad: boolean): Said | undefined => {
  const name = stateName(code);
  if (name === undefined) return say('Choose a state');
  if (code === '96')
    return abroad ? undefined : say('Only a supply to or from a party abroad is in another country: choose a state');
  if (code === '99') return say('This is no place of supply: choose a state, or 97 for other territory');
  const until = placeUntil[code];
  return until !== undefined && day > until
    ? say('{{name}} is no place of supply on this day: choose the state of today', { name })
    : undefined;
};

// Union territories without a legislature pay UTGST for the state half; 97 is other territory.
const territories = new Set(['04', '26', '31', '35', '38', '97']);
export const chargesUnionTerritoryTax = (code: string): boolean => territories.has(code);

/** Codes a new party or location may have. */
export const activeStates = stateRows.filter((row) => row.active);

/** Codes of supplies and of GSTINs, where nobody has a place of business: other countries, and the centre's jurisdiction. */
const NOWHERE = ['96', '99'];
/** Codes that an own place of business may have. */
export const ownStates = activeStates.filter(({ code }) => !NOWHERE.includes(code));
