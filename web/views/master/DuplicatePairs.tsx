import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { Empty, ErrorPanel, Skeleton } from '../../kit/parts.tsx';
import { Sentence } from '../../kit/Sentence.tsx';
import { api } from '../../kit/server/client.ts';
import { useMayOpen, useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { inWords, type NearParty } from './Duplicates.tsx';
import { MergeDialog } from './MergeDialog.tsx';

type Pair = readonly [NearParty, NearParty];

/** From a list of parties to the pairs among them that may be one. */
export function DuplicatePairs() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('Possible duplicates')}</Button>
      {open && <Pairs onClose={() => setOpen(false)} />}
    </>
  );
}

function Pairs({ onClose }: { onClose(): void }) {
  const [merging, setMerging] = useState<Pair | null>(null);
  // who may make a party may merge two; the server refuses too
  const mayMerge = useMayOpen()('Create Party');
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: useScreenKey('duplicates'),
    queryFn: ({ pageParam }) => api.ListDuplicates(pageParam ? { after: pageParam } : {}),
    initialPageParam: '',
    getNextPageParam: (page) => page.after ?? undefined,
  });
  const pairs = data?.pages.flatMap((page) => page.pairs) ?? [];
  // one dialog at a time: the list comes back when the other one is closed
  if (merging) return <MergeDialog pair={merging} onClose={() => setMerging(null)} onDone={() => setMerging(null)} />;
  return (
    <Dialog open width={880} title={t('Possible duplicates')} onClose={onClose}>
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <Skeleton rows={4} />
      ) : pairs.length === 0 ? (
        <Empty sentence={t('No two parties look alike')} />
      ) : (
        <ul className="near-parties">
          {pairs.map(({ one, other, why }) => (
            <li key={`${one.id}/${other.id}`}>
              <span className="wrap">
                <Sentence
                  text="{{name}} ({{code}}) and {{name2}} ({{code2}}): {{why}}"
                  values={{
                    name: <strong>{one.name}</strong>,
                    code: one.code,
                    name2: <strong>{other.name}</strong>,
                    code2: other.code,
                    why: inWords(why),
                  }}
                />
              </span>
              {mayMerge && (
                <Button onClick={() => setMerging([one, other])}>
                  <Sentence
                    text="Merge{{value}} …"
                    values={{
                      value: (
                        <span className="hidden-text">
                          {' '}
                          {t('{{code}} and {{code2}}', { code: one.code, code2: other.code })}
                        </span>
                      ),
                    }}
                  />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Look further')}
        </Button>
      )}
    </Dialog>
  );
}
