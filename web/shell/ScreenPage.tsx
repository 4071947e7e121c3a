import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { createElement, Suspense, startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { screenCalled } from '../../contract/screens.ts';
import type { Session } from '../../contract/session.ts';
import { ErrorPanel, Page, Skeleton } from '../kit/parts.tsx';
import { Refused } from '../kit/server/api.ts';
import { hasMarker, keepMarker, mayOpen, SessionContext, sessionQuery, takePlace } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Shell } from './Shell.tsx';
import { componentOf, fetchAhead } from './views.tsx';

/** True one second after the page was loaded without an answer about the session. */
const useOverdue = (): boolean => {
  const [overdue, setOverdue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), 1000);
    return () => clearTimeout(timer);
  }, []);
  return overdue;
};

const screenAt = (path: string): string => decodeURIComponent(path.replace(/^\/layout\//, '').replace(/[?#].*/, ''));

/**
 * Leads back to where the session ended. True on the way there: another screen, drawn meanwhile, would take the
 * draft that is to be open again.
 */
const useReturn = (session: Session | undefined, name: string): boolean => {
  const navigate = useNavigate();
  const [goal, setGoal] = useState<string | null>();
  useLayoutEffect(() => {
    if (!session) return;
    keepMarker(session);
    const back = takePlace(session);
    if (!back) return setGoal((before) => before ?? null);
    setGoal(screenAt(back));
    void navigate({ href: back, replace: true }).finally(() => startTransition(() => setGoal(null)));
  }, [session, navigate]);
  return goal === undefined || (goal !== null && goal !== name);
};

/** Route in, screen out: session, then access, then the view the registry names. Case and spaces as written. */
export function ScreenPage() {
  const { _splat: name = '' } = useParams({ strict: false });
  const { data: session, error, isPending, refetch } = useQuery(sessionQuery);
  const overdue = useOverdue();
  // as it was asked for: the location is already the next one while this is still drawn
  const { history } = useRouter();
  const [wanted] = useState(history.location.href);
  const screen = screenCalled(name);
  useEffect(() => {
    if (screen) fetchAhead(screen.show);
  }, [screen]);
  const isReturning = useReturn(session, name);
  if (!session && error instanceof Refused && error.status === 401) return <Navigate to="/" replace />;
  if (!session && isPending && overdue && !hasMarker()) return <Navigate to="/" state={{ wanted }} replace />;
  if (!session || isReturning)
    return (
      <main>
        <Page>
          {error && !session ? (
            <ErrorPanel says={t('Your menu could not be read.')} error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton />
          )}
        </Page>
      </main>
    );
  if (!screen || !mayOpen(session.grants, screen)) return <Navigate to="/404" replace />;
  return (
    <SessionContext value={session}>
      <Shell name={name} screen={screen}>
        <ErrorBoundary key={name}>
          <Suspense fallback={<Skeleton />}>
            {createElement(componentOf(screen.show), { key: name, screen, ...screen.show })}
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </SessionContext>
  );
}
