import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Session } from '../../../../contract/session.ts';
import { toast } from '../../../kit/dialog/toast.tsx';
import { inSentence } from '../../../kit/format.ts';
import { api } from '../../../kit/server/client.ts';
import { invalidateAll } from '../../../kit/server/invalidateAll.ts';
import { useSession } from '../../../kit/server/session.ts';
import { plural, t } from '../../../kit/text.ts';
import { browserDrafts, type Handed, handOver, thisTab } from './draftStore.ts';

// Apart from the saving of an open draft, so that the first page does not fetch the editor.

/** Whose drafts they are: a person in an organisation. */
export const ownerOf = ({ subject, organisation }: Session): string => `${subject}/${organisation.code}`;

/** Says in an empty editor where the text has gone. */
const tellPosted = (said: string): void => toast(t('Your changes are not lost: {{said}}', { said: inSentence(said) }));

/** A browser that keeps nothing has nothing to hand over. */
const give = (session: Session): Promise<readonly Handed[]> =>
  handOver(browserDrafts, ownerOf(session), (draft) => api.AddTransactionDetails(draft), tellPosted).catch(() => []);

/** One hand-over for each person and organisation in the life of a page. */
const handed = new Map<string, Promise<readonly Handed[]>>();
export const handOverOnce = (session: Session): Promise<readonly Handed[]> => {
  const owner = ownerOf(session);
  const known = handed.get(owner);
  if (known) return known;
  const going = give(session);
  handed.set(owner, going);
  return going;
};

/** The draft of a kind that this tab was typing when it was closed or reloaded, once. */
export const takeInterrupted = async (session: Session, kind: string): Promise<string | undefined> => {
  const all = await handOverOnce(session);
  const mine = all.find((draft) => draft.kind === kind && draft.tab === thisTab());
  if (mine) handed.set(ownerOf(session), Promise.resolve(all.filter((draft) => draft !== mine)));
  return mine?.id;
};

/** A tab that was closed this moment lets go of its draft a little later. */
const LET_GO = 3000;

/** Hands drafts kept in this browser to the server, once after each sign-in, and says so. */
export const useHandOver = (): void => {
  const session = useSession();
  const cache = useQueryClient();
  useEffect(() => {
    const tell = ({ length }: readonly Handed[]) => {
      if (length === 0) return;
      toast(
        plural(length, 'A draft kept in this browser was saved', '{{count}} drafts kept in this browser were saved'),
      );
      void invalidateAll(cache);
    };
    if (!handed.has(ownerOf(session)))
      void handOverOnce(session).then((all) => {
        if (all.length) handed.set(ownerOf(session), Promise.resolve([]));
        tell(all);
      });
    const again = setTimeout(() => {
      void give(session).then(tell);
      // what a till has left here is sent from any screen; tried again at the till
      void import('../../../till/bills/sending.ts')
        .then((till) => till.sendLeftBills(ownerOf(session)))
        .catch(() => undefined);
    }, LET_GO);
    return () => clearTimeout(again);
  }, [session, cache]);
};
