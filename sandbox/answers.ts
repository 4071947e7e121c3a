/** A remark beside an answer of the invoice portal. */
export interface Info {
  readonly InfCd: string;
  readonly Desc: unknown;
}

export interface Refusal {
  readonly code: string;
  readonly text?: string | undefined;
  readonly n?: number;
}

/** What a portal has to say before it is put into its envelope. */
export type Answer =
  | {
      readonly data: object;
      readonly info?: readonly Info[];
      readonly alert?: string | undefined;
      readonly wrapped?: boolean;
    }
  | { readonly refused: readonly Refusal[]; readonly info?: readonly Info[] };

export const refuse = (...codes: readonly string[]): Answer & { readonly refused: readonly Refusal[] } => ({
  refused: codes.map((code) => ({ code })),
});
