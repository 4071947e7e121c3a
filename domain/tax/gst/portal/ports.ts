import { portNames } from '../../../facts/ports.ts';

export const portName = (code: string): string | undefined =>
  Object.hasOwn(portNames, code) ? portNames[code] : undefined;
