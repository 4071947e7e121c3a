import type { Paise } from '../../domain/base/money.ts';

/** What an organisation signs in with at its gateway, and what the gateway signs its words with. */
export interface GatewayKeys {
  readonly keyId: string;
  readonly secret: string;
  readonly webhookSecret: string;
}

/** Money that somebody is asked for. */
export interface PaymentAsked {
  /** Our own name for it; every word about it carries that. */
  readonly reference: string;
  readonly amount: Paise;
  readonly description: string;
  /** By what means it may be paid: of `paymentMethods`. */
  readonly methods: readonly string[];
  /** Where the payer goes when it is over. */
  readonly returnTo: string;
  /** Where the gateway tells us of it. */
  readonly notify: string;
}

/** What a gateway tells, by its own names for the word (`event`) and the payment. */
export interface PaymentEvent {
  readonly event: string;
  readonly kind: 'paid' | 'failed';
  readonly reference: string;
  readonly payment: string;
  readonly amount: Paise;
  /** What the gateway keeps of it. */
  readonly fee: Paise;
  readonly method: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A request of the gateway as it came: the signature is over the very bytes. */
export interface Heard {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** When it came, in milliseconds. */
  readonly now: number;
}

/** A payment gateway. A call that gets no readable answer throws `NoAnswer`. */
export interface PaymentProvider {
  readonly label: string;
  /** Signs in once; what the gateway has against it, or null. */
  test(keys: GatewayKeys): Promise<string | null>;
  /** The address of the page on which the payer pays. */
  pageFor(keys: GatewayKeys, asked: PaymentAsked): Promise<string>;
  /** The event; undefined when it is not signed by the gateway, or too old to be a first delivery. */
  read(keys: GatewayKeys, heard: Heard): PaymentEvent | undefined;
}

/** The gateways of an installation by name. */
export type Providers = Readonly<Record<string, PaymentProvider>>;

/** The gateway cannot be reached, or answers with nothing that can be read. */
export class NoAnswer extends Error {}
