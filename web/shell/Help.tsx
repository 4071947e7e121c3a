import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Screen } from '../../contract/screens.ts';
import { Button } from '../kit/Button.tsx';
import { SideDrawer } from '../kit/dialog/Dialog.tsx';
import { ErrorPanel, Skeleton } from '../kit/parts.tsx';
import { send } from '../kit/server/api.ts';
import { useMayWrite, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

const HelpEditor = lazy(() => import('./HelpEditor.tsx').then((module) => ({ default: module.HelpEditor })));

interface Answer {
  readonly question: string;
  readonly answer: string;
}

/** Questions and answers about the screen, and the way to the list of keys. */
export function Help({
  screen,
  open,
  onClose,
  onKeys,
}: {
  readonly screen: Screen;
  readonly open: boolean;
  onClose(): void;
  onKeys(): void;
}) {
  const { operator } = useSession();
  const mayEdit = useMayWrite('General Configuration');
  const [editing, setEditing] = useState<'own' | 'all' | null>(null);
  const answers = useQuery({
    queryKey: ['help', screen.id],
    queryFn: async ({ signal }) => {
      const asked = { screenId: String(screen.id) };
      const found = await send<{ content: readonly Answer[] }>('GET', '/api/organisation/GetHelpContent', asked, {
        signal,
      });
      return found.content;
    },
    enabled: open,
    staleTime: 600_000,
  });
  return (
    <SideDrawer
      open={open}
      onClose={() => {
        setEditing(null);
        onClose();
      }}
      width={380}
      title={t('Help: {{label}}', { label: t(screen.label) })}
    >
      {answers.isPending && <Skeleton rows={4} />}
      {answers.error && <ErrorPanel error={answers.error} onRetry={() => void answers.refetch()} />}
      {answers.data?.length === 0 && <p className="muted">{t('There is no help for this screen yet.')}</p>}
      {editing !== null && answers.data && (
        <Suspense fallback={<Skeleton rows={4} />}>
          <HelpEditor
            screen={screen}
            forAll={editing === 'all'}
            content={answers.data}
            onDone={() => setEditing(null)}
          />
        </Suspense>
      )}
      {editing === null &&
        answers.data?.map(({ question, answer }) => (
          <details key={question} className="help-item">
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      <div className="dialog-foot">
        {mayEdit && editing === null && <Button onClick={() => setEditing('own')}>{t('Edit help')}</Button>}
        {operator && editing === null && <Button onClick={() => setEditing('all')}>{t('Edit default help')}</Button>}
        <Button onClick={onKeys}>{t('Show keys')}</Button>
      </div>
    </SideDrawer>
  );
}
