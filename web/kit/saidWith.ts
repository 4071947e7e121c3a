/** What a call that posts says, with the warnings that came with it: they are shown in the same sentence. */
export const saidWith = (said: string, warnings: readonly { readonly message: string }[]): string =>
  [said, ...warnings.map(({ message }) => message)].join('. ');
