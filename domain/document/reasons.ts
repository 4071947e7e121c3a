/** Why a note or return is made, by the codes that the portals and other programs give these reasons. */
const codes: Readonly<Record<string, string>> = {
  '01': 'Sales return',
  '02': 'Post-sale discount',
  '03': 'Deficiency in service',
  '04': 'Correction in invoice',
  '05': 'Change in place of supply',
  '06': 'Finalisation of provisional assessment',
  '07': 'Others',
};

/** The reasons that are offered for notes and returns. */
export const noteReasons: readonly string[] = Object.values(codes);

/** A reason in words: a document may have come with the code of one. */
export const reasonInWords = (reason: string): string => codes[reason.trim()] ?? reason;
