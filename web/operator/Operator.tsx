import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useGivenProblems } from '../kit/fields/fieldProblems.ts';
import { focusFirstError, TextArea, TextField } from '../kit/fields/fields.tsx';
import { money } from '../kit/format.ts';
import {
  Badge,
  Empty,
  ErrorPanel,
  figures,
  Page,
  PageHead,
  Panel,
  ScrollX,
  Skeleton,
  TableHead,
} from '../kit/parts.tsx';
import { problemAt, Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { SessionContext, sessionQuery, useDateFormat } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { Operators, Organisations } from './Installation.tsx';
import '../views/views.css';

/** `/operator`: what only who runs the installation does. For everybody else it is not there. */
export function Operator() {
  const { data: session, error, isPending } = useQuery(sessionQuery);
  useEffect(() => {
    document.title = t('Operator · Bahi');
  }, []);
  if (error) return <Navigate to="/" replace />;
  if (isPending || !session) return <Skeleton />;
  if (!session.operator) return <Navigate to="/404" replace />;
  return (
    <SessionContext value={session}>
      <main className="operator">
        <Page narrow>
          <PageHead
            title={t('Operator')}
            count={session.email}
            actions={
              <Link className="button" to="/layout/$" params={{ _splat: 'Home' }}>
                {t('Back Home')}
              </Link>
            }
          />
          <Organisations />
          <Operators />
          <Requests />
          <Broadcasts />
        </Page>
      </main>
    </SessionContext>
  );
}

const stepOf = (status: number) => (status <= 1 ? 'Finance' : status <= 5 ? 'Admin' : 'Completed');

function Requests() {
  const cache = useQueryClient();
  const { show } = useDateFormat();
  const key = ['operator', 'requests'];
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.ListSubscriptionRequests({}) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  const decide = async (row: (typeof data)[number], approve: boolean) => {
    try {
      await api.DecideSubscriptionRequest({
        organisation: row.organisation,
        request: row.id,
        version: row.version,
        approve,
      });
      toast(approve ? t('{{name}}: one step on', { name: row.name }) : t('{{name}}: refused', { name: row.name }));
    } catch (refused) {
      toastError(refused);
    }
    await cache.invalidateQueries({ queryKey: key });
  };
  return (
    <Panel title={t('Subscription requests')}>
      {data.length === 0 && <Empty sentence={t('Nobody has asked for modules yet')} />}
      {data.length > 0 && (
        <ScrollX label={t('Subscription requests')}>
          <table className="plain-table">
            <TableHead
              columns={[
                t('Organisation'),
                t('Modules'),
                t('For'),
                figures(t('A month (₹)')),
                t('Asked'),
                t('Step'),
                t('Decision'),
              ]}
            />
            <tbody>
              {data.map((row) => {
                const step = stepOf(row.requestStatus);
                const open = !row.refused && step !== 'Completed';
                return (
                  <tr key={row.id}>
                    <td>{row.name}</td>
                    <td>{row.modules.join(', ')}</td>
                    <td>{t('{{months}} mo.', { months: row.months })}</td>
                    <td className="num">{money(row.monthly)}</td>
                    <td>{t('{{askedAt}} by {{askedBy}}', { askedAt: show(row.askedAt), askedBy: row.askedBy })}</td>
                    <td>
                      <Badge word={row.refused ? 'Refused' : step} {...(row.refused ? { tone: 'bad' as const } : {})} />
                    </td>
                    <td>
                      {open && (
                        <span className="button-row">
                          <Button look="primary" onClick={() => void decide(row, true)}>
                            {step === 'Finance' ? t('Payment received') : t('Approve')}
                          </Button>
                          <Button look="danger" onClick={() => void decide(row, false)}>
                            {t('Refuse')}
                          </Button>
                        </span>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollX>
      )}
    </Panel>
  );
}

const blank = { title: '', floatingMessage: '', validTo: '' };

function Broadcasts() {
  const cache = useQueryClient();
  const key = ['operator', 'broadcasts'];
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.ListBroadcasts({}) });
  const [typed, setTyped] = useState(blank);
  const [problems, setProblems] = useGivenProblems(typed);
  const again = () => cache.invalidateQueries({ queryKey: key });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setProblems([]);
    try {
      const validTo = typed.validTo && new Date(typed.validTo).toISOString();
      await api.SaveBroadcast({ ...typed, validTo });
      toast(t('Everybody sees it at the next page'));
      setTyped(blank);
      await again();
    } catch (refused) {
      if (refused instanceof Refused && refused.problems.length) {
        setProblems(refused.problems);
        focusFirstError();
      } else toastError(refused);
    }
  };
  const end = async (id: string) => {
    await api.EndBroadcast({ id }).catch(toastError);
    await again();
  };
  const change = (part: Partial<typeof blank>) => setTyped((now) => ({ ...now, ...part }));
  return (
    <Panel title={t('Message to everybody')}>
      <form className="stack" aria-label={t('Message to everybody')} onSubmit={(event) => void send(event)}>
        <div className="fields">
          <TextField
            label={t('Title')}
            name="title"
            value={typed.title}
            maxLength={80}
            required
            error={problemAt(problems, 'title')}
            onChange={(title) => change({ title })}
            span={2}
          />
          <TextField
            label={t('Valid to')}
            name="validTo"
            type="datetime-local"
            value={typed.validTo}
            required
            error={problemAt(problems, 'validTo')}
            onChange={(validTo) => change({ validTo })}
          />
          <TextArea
            label={t('Message')}
            name="floatingMessage"
            value={typed.floatingMessage}
            maxLength={1000}
            required
            error={problemAt(problems, 'floatingMessage')}
            onChange={(floatingMessage) => change({ floatingMessage })}
            span={2}
          />
        </div>
        <div>
          <Button type="submit" look="primary">
            {t('Send message')}
          </Button>
        </div>
      </form>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      <ul className="plain-list messages-sent" aria-label={t('Messages')}>
        {data?.map(({ id, title, floatingMessage, validTo }) => (
          <li key={id}>
            <span>
              <b>{t(title)}</b> {Date.parse(validTo) <= Date.now() && <Badge word="Ended" tone="neutral" />}
              <br />
              {floatingMessage}
            </span>
            <Button aria-label={t('Take back {{title}}', { title: t(title) })} onClick={() => void end(id)}>
              {t('Take back')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
