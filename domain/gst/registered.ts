import type { RegistrationKind } from '../document.ts';

/**
 * Whether GST concerns whoever has this status. Without registration there is none: nothing is charged or claimed, a paper
 * is no tax invoice (sections 31 and 32 of the CGST Act), and no supply has a place.
 */
export const hasGst = (kind: RegistrationKind): boolean => kind !== 'unregistered';
