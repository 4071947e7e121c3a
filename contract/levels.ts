/** What the levels of a grant say, in words; the one place of them. */
export const levelWords: Readonly<Record<number, string>> = {
  0: 'None',
  5000: 'View',
  5001: 'Create and edit',
  5002: 'Approve',
  5003: 'Full',
};
