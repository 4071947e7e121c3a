import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Screen } from '../../contract/screens.ts';
import { send } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { ErrorPanel, Skeleton } from '../kit/parts.tsx';

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
  const answers = useQuery({
    queryKey: ['help', screen.id],
    queryFn: ({ signal }) =>
      send<readonly Answer[]>('GET', '/api/organisation/GetHelpContent', { screenId: String(screen.id) }, { signal }),
    enabled: open,
    staleTime: 600_000,
  });
  return (
    <Drawer
      opened={open}
      onClose={onClose}
      position="right"
      size={380}
      title={`Help: ${screen.label}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 200 }}
    >
      {answers.isPending && <Skeleton rows={4} />}
      {answers.error && <ErrorPanel error={answers.error} onRetry={() => void answers.refetch()} />}
      {answers.data?.length === 0 && <p className="muted">Nothing is written about this screen yet.</p>}
      {answers.data?.map(({ question, answer }) => (
        <details key={question} className="help-item">
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
      <div className="dialog-foot">
        <Button onClick={onKeys}>Show keys</Button>
      </div>
    </Drawer>
  );
}
