import type { Draft } from '../../../../domain/document/document.ts';
import type { KindName } from '../../../../domain/document/kinds/index.ts';
import type { Context } from '../../../context.ts';
import { nameable, type Seer } from '../../read/may-read.ts';
import type { PostingRequest } from '../types.ts';

/** Who posts, where, under which key and within which limits: a call, or a job in somebody's name. */
export type Requester = Pick<Context, 'user' | 'key' | 'digest' | 'today' | 'limits' | 'token'> &
  Seer &
  Partial<Pick<Context, 'inTransaction'>>;

type Transaction = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** Looks something up in a transaction of the requester. A job that has none posts nothing that needs it. */
export async function lookUpFor<T>(
  { inTransaction }: Requester,
  what: string,
  find: (trx: Transaction) => Promise<T>,
): Promise<T> {
  if (!inTransaction) throw new Error(`who posts this must be able to look up ${what}`);
  return inTransaction(find);
}

/** The part of a request that says who posts what, for a cancellation too. */
export const requestOf = (
  requester: Requester,
  kind: KindName,
  draft: Draft,
): Omit<PostingRequest, 'id' | 'number'> => {
  const { organisation, user, key, digest, token, today, locations, limits } = requester;
  return {
    ...{ organisation, user, key, digest, kind, draft, today, locations },
    ...(limits && { limits }),
    ...(token && { token }),
    mayName: nameable(requester),
  };
};

/** The reasons that somebody gives for warnings of what they post, in their name; nothing without reasons. */
export const reasonsOf = (
  { user }: Pick<Context, 'user'>,
  accepted: Draft['accepted'] = [],
): { readonly accepted?: NonNullable<Draft['accepted']> } =>
  accepted.length > 0 ? { accepted: accepted.map((each) => ({ ...each, by: user })) } : {};
