/** Changes that no test can notice, with the reason. */
export const equivalents: readonly {
  readonly file: string;
  readonly text: string;
  readonly by: string;
  readonly because: string;
}[] = [];
