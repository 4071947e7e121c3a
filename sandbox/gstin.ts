const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const shape = /^[0-9]{2}[0-9A-Z]{12}[0-9A-Z]$/;

/** The check character over the first 14 characters of a GSTIN. */
export function checkCharacter(first14: string): string {
  const sum = [...first14].reduce((total, character, place) => {
    const product = alphabet.indexOf(character) * (place % 2 === 0 ? 1 : 2);
    return total + Math.trunc(product / 36) + (product % 36);
  }, 0);
  return alphabet.charAt((36 - (sum % 36)) % 36);
}

/** Whether the text has the shape of a GSTIN and its check character is right. */
export const isGstin = (text: string): boolean => shape.test(text) && checkCharacter(text.slice(0, 14)) === text[14];

export const stateOf = (gstin: string): string => gstin.slice(0, 2);
