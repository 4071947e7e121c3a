/** Changes that no test can notice, with the reason. */
export const equivalents: readonly {
  readonly file: string;
  readonly text: string;
  readonly by: string;
  readonly because: string;
}[] = [
  {
    file: 'domain/price.ts',
    text: 'p.charges.length === 0',
    by: 'false',
    because: 'without charges each line has a share of nothing, as where there are no shares',
  },
];
