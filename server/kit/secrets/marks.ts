/** How often each secret was set to another one, by its name. */
export type Marks = Readonly<Record<string, number>>;

/** The marks after these secrets are kept in the place of those before: what is the same keeps its mark. */
export const marksOf = (
  marks: Marks | undefined,
  before: Readonly<Record<string, string>> | undefined,
  now: Readonly<Record<string, string>>,
): Marks =>
  Object.fromEntries(
    Object.entries(now).map(([name, secret]) => {
      const mark = marks?.[name] ?? 0;
      return [name, before?.[name] === secret ? mark : mark + 1];
    }),
  );
