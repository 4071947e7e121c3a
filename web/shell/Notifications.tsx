import { Popover } from '@mantine/core';
import { IconBell, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Text } from '../../domain/base/say.ts';
import { Button, IconButton } from '../kit/Button.tsx';
import { toastError } from '../kit/dialog/toast.tsx';
import { useGo } from '../kit/navigation.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { send } from '../kit/server/api.ts';
import { useSession } from '../kit/server/session.ts';
import { t, translated } from '../kit/text.ts';

interface Message {
  readonly id: string;
  readonly message: string;
  readonly text?: Text;
  readonly link: string | null;
  readonly actionType: number | null;
}

/** The bell with its count, and the panel of messages. A link of action 1 opens the sale order it names. */
export function Notifications() {
  const { organisation, notifications } = useSession();
  const cache = useQueryClient();
  const go = useGo();
  const navigate = useNavigate();
  const key = ['notifications', organisation.code];
  const messages = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => send<readonly Message[]>('GET', '/api/notifications/GetNotifications', {}, { signal }),
    refetchInterval: 60_000,
  });
  const dismiss = useMutation({
    mutationFn: (id: string | undefined) => send('POST', '/api/notifications/DismissNotifications', id ? { id } : {}),
    onMutate: (id) =>
      cache.setQueryData<readonly Message[]>(key, (old) => (id ? old?.filter((message) => message.id !== id) : [])),
    onError: toastError,
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  });
  const count = messages.data?.length ?? notifications;
  const [open, setOpen] = useState(false);
  const follow = ({ link, actionType }: Message) => {
    setOpen(false);
    const [id] = (link ?? '').split(',');
    if (actionType === 1 && id) go('SaleOrderView', { id });
    else if (link?.startsWith('/layout/')) void navigate({ href: link });
  };
  return (
    <Popover position="bottom-end" width={360} trapFocus withinPortal opened={open} onChange={setOpen}>
      <Popover.Target>
        <IconButton
          label={count ? t('Notifications, {{count}} new', { count }) : t('Notifications')}
          onClick={() => setOpen((now) => !now)}
        >
          <IconBell size={20} aria-hidden />
          {count > 0 && <span className="count-badge">{count > 99 ? '99+' : count}</span>}
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Notifications')}>
        <div className="panel-top">
          <h2>{t('Notifications')}</h2>
          {count > 0 && (
            <Button look="subtle" onClick={() => dismiss.mutate(undefined)}>
              {t('Dismiss All')}
            </Button>
          )}
        </div>
        {messages.error && (
          <ErrorPanel
            says={t('Your notifications could not be read.')}
            error={messages.error}
            onRetry={() => void messages.refetch()}
          />
        )}
        {messages.data && (
          <ul className="messages">
            {messages.data.map((message) => (
              <li key={message.id}>
                <span>
                  {translated(message)}{' '}
                  {message.link && (
                    <button type="button" className="link" onClick={() => follow(message)}>
                      {t('Link')}
                    </button>
                  )}
                </span>
                <IconButton label={t('Dismiss')} onClick={() => dismiss.mutate(message.id)}>
                  <IconX size={16} aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        {messages.data?.length === 0 && !messages.error && <p className="muted">{t('you are all caught up !')}</p>}
      </Popover.Dropdown>
    </Popover>
  );
}
