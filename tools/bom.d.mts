export interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly integrity: string | undefined;
  readonly resolved: string | undefined;
  /** Lies inside another package, whose digest covers it. */
  readonly inside: boolean;
  readonly runs: boolean;
}
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}
export type Lock = { readonly packages: Readonly<Record<string, unknown>> };
export function readLock(): Lock;
export function packagesOf(lock: Lock): Package[];
export function billOfMaterials(lock: Lock): {
  readonly bomFormat: string;
  readonly components: readonly Component[];
};
