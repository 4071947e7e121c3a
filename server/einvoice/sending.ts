import { Refusal } from '../../contract/errors.ts';
import type { Session } from '../../contract/session.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Books } from '../kit/database/sql.ts';
import { Later } from '../kit/later.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import type { SigningKey } from './cipher.ts';
import { credentialsOf, rememberSignIn } from './credentials.ts';
import { Unclear } from './exchange.ts';
import type { Credentials, Portal, PortalError, Reply } from './portal.ts';

export interface PortalDesk {
  readonly books: Books;
  readonly vault: Vault;
  readonly portal: Portal;
  /** The portal is real, the stand-in, or not there. */
  readonly installed: Session['installation']['portal'];
  /** The portal's signing keys; `fresh` asks it again. */
  readonly signingKeys: (fresh: boolean) => Promise<readonly SigningKey[]>;
  /** Tells the open pages of an organisation that something has changed. */
  readonly changed: (organisation: number) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What is to be sent, and in whose name. */
export interface Errand {
  readonly organisation: number;
  readonly author: Id;
  readonly registration: Id;
  readonly gstin: string | null;
  /** It was sent before and no answer could be read: the portal is asked first. */
  readonly mayBeKnown: boolean;
}

/** What kept a portal from doing it. Of `queued` and `unclear` it is tried again. */
export interface Trouble {
  readonly state: 'failed' | 'queued' | 'unclear';
  readonly code?: string;
  readonly message: string;
}

/** The two questions to a portal about one thing. */
export interface Exchanges<Verdict> {
  /** Whether the portal has it already; undefined when it has not. */
  ask(): Promise<Verdict | undefined>;
  send(): Promise<Verdict>;
}

/** Too busy, or too many calls just now: the same document is taken later. */
export const passing: readonly string[] = ['3095', '3096', '3108'];
/** Something is wrong with who we are, not with the document. */
// biome-ignore format: codes of one list
export const credentialTrouble: readonly string[] = [
  '1004', '1006', '1010', '1011', '1012', '1013', '1014', '1015', '1016', '1017', '1019', '1020',
];

/**
 * Has a portal do one thing exactly once: what was sent without a readable answer is asked for before it is sent again.
 * What came of it is concluded first; then `Later` is thrown when it is to be tried again.
 */
export async function sendOnce<Verdict extends { readonly state: string; readonly message?: string }>(
  desk: PortalDesk,
  errand: Errand,
  exchanging: (as: Credentials) => Exchanges<Verdict>,
  conclude: (verdict: Verdict | Trouble) => Promise<void>,
): Promise<void> {
  desk.changed(errand.organisation);
  const verdict = await verdictOn(desk, errand, exchanging);
  await conclude(verdict);
  desk.changed(errand.organisation);
  if (verdict.state === 'unclear' || verdict.state === 'queued') throw new Later(verdict.message ?? '');
}

async function verdictOn<Verdict>(
  desk: PortalDesk,
  { organisation, author, registration, gstin, mayBeKnown }: Errand,
  exchanging: (as: Credentials) => Exchanges<Verdict>,
): Promise<Verdict | Trouble> {
  if (desk.installed === 'none') return { state: 'failed', code: 'portal', message: new Refusal('noPortal').message };
  const as = await desk.books.inTransaction({ organisation, user: author }, (trx) =>
    credentialsOf(trx, desk.vault, organisation, registration),
  );
  if (!as) {
    const message = `There are no portal credentials for ${gstin ?? 'this registration'}: enter them under E-invoice credentials`;
    return { state: mayBeKnown ? 'unclear' : 'failed', code: 'credentials', message };
  }
  const exchanges = exchanging(as);
  try {
    const asked = mayBeKnown ? await exchanges.ask() : undefined;
    return asked ?? (await exchanges.send());
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    return { state: 'unclear', message: error.message };
  }
}

/** Nothing is put in line for a portal that is not there. */
export function mustBeConnected({ installed }: Pick<PortalDesk, 'installed'>): void {
  if (installed === 'none') throw new Refusal('noPortal');
}

/** One exchange; that its answer could not be read is noted before anything follows from it. */
export async function heard(work: () => Promise<Reply>, note: (message: string) => Promise<unknown>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unclear) await note(error.message);
    throw error;
  }
}

/** What a refusal comes to: later when the portal is busy; that it does not know us is kept with the credentials. */
export async function refusedBy(
  desk: PortalDesk,
  { organisation, author, registration }: Errand,
  errors: readonly PortalError[],
  { busy = passing, stranger = credentialTrouble } = {},
): Promise<Trouble> {
  const { code, message } = wordsOf(errors);
  if (errors.some((e) => busy.includes(e.code))) return { state: 'queued', code, message };
  if (errors.some((e) => stranger.includes(e.code)))
    await desk.books.inTransaction({ organisation, user: author }, (trx) =>
      rememberSignIn(trx, organisation, registration, `${code}: ${message}`),
    );
  return { state: 'failed', code, message };
}

/** A question that the portal did not answer leaves open what it has: neither failed nor to be sent as if it were new. */
export const stillUnclear = <V extends { readonly state: string; readonly message?: string }>(
  verdict: V,
): Trouble | V =>
  verdict.state === 'failed' || verdict.state === 'queued'
    ? { ...verdict, state: 'unclear', message: verdict.message ?? '' }
    : verdict;

/** The codes of a refusal in one text, and what they mean in another. */
export const wordsOf = (errors: readonly PortalError[]): { readonly code: string; readonly message: string } => ({
  code: errors.map((e) => e.code).join(', '),
  message: errors.map((e) => e.message).join('; '),
});
