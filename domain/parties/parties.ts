import { type Said, say } from '../base/say.ts';
/** What merging looks at. Money in paise; `more` is what has no column: addresses, contacts, phone and the like. */
export interface MergingParty {
  readonly name: string;
  readonly code: string;
  readonly side: 'customer' | 'supplier' | 'both';
  readonly category: string;
  readonly gstin: string | null;
  readonly pan: string | null;
  readonly state: string;
  readonly currency: string;
  readonly creditLimit: number | null;
  readonly more: Readonly<Record<string, unknown>>;
}

/** Why two parties cannot be made one; undefined when they can. */
export function mergeProblem(stays: MergingParty, goes: MergingParty): Said | undefined {
  // each registration is reported by itself (section 25(4): distinct persons)
  if (stays.gstin && goes.gstin && stays.gstin !== goes.gstin) return say('they are two registrations under GST');
  if (stays.pan && goes.pan && stays.pan !== goes.pan) return say('they have different PANs');
  if (stays.currency !== goes.currency)
    return say('one is kept in {{currency}}, the other in {{other}}', {
      currency: stays.currency,
      other: goes.currency,
    });
  return undefined;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
const rowsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const united = (one: unknown, other: unknown): readonly unknown[] => {
  const known = new Set(rowsOf(one).map((row) => JSON.stringify(row)));
  return [...rowsOf(one), ...rowsOf(other).filter((row) => !known.has(JSON.stringify(row)))];
};

/** The party that stays, with what it lacked: its own word counts, lists are united, of two credit limits the lower. */
export function merged(stays: MergingParty, goes: MergingParty): MergingParty {
  const registration = stays.gstin === null && goes.gstin !== null ? goes : stays;
  const limits = [stays.creditLimit, goes.creditLimit].filter((limit) => limit !== null);
  const more: Record<string, unknown> = { ...stays.more };
  for (const [key, value] of Object.entries(goes.more)) {
    if (Array.isArray(value)) more[key] = united(more[key], value);
    else if (isEmpty(more[key])) more[key] = value;
  }
  // found by its former code and name as well
  const formerly = [
    stays.more['formerly'],
    goes.more['formerly'],
    goes.code,
    goes.name,
    goes.gstin,
    goes.more['phone'],
  ];
  more['formerly'] = formerly.filter((text) => !isEmpty(text)).join(' ');
  return {
    ...stays,
    side: stays.side === goes.side ? stays.side : 'both',
    gstin: registration.gstin,
    category: registration.category,
    state: registration.state,
    pan: stays.pan ?? goes.pan,
    creditLimit: limits.length === 0 ? null : Math.min(...limits),
    more,
  };
}
