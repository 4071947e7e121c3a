import { stateRows } from '../facts/states.ts';

/** The name of a two-digit state code, or undefined when there is no such code. */
export const stateName = (code: string): string | undefined => stateRows.find((row) => row.code === code)?.name;

/** A state code as the law writes it: '7' and '07' are both '07'. Undefined when it is no known state. */
export const stateCodeOf = (text: string): string | undefined => {
  const code = text.trim().padStart(2, '0');
  return stateName(code) === undefined ? undefined : code;
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
