import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { createElement, Suspense, useEffect, useState } from 'react';
import { screenCalled } from '../../contract/screens.ts';
import { Refused } from '../kit/api.ts';
import { ErrorPanel, Page, Skeleton } from '../kit/parts.tsx';
import { hasMarker, keepMarker, mayOpen, SessionContext, sessionQuery, takePlace } from '../kit/session.ts';
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
  const navigate = useNavigate();
  useEffect(() => {
    if (!session) return;
    keepMarker(session);
    const back = takePlace(session);
    if (back) void navigate({ href: back, replace: true });
  }, [session, navigate]);
  if (!session) {
    if (error instanceof Refused && error.status === 401) return <Navigate to="/" replace />;
    if (isPending && overdue && !hasMarker()) return <Navigate to="/" state={{ wanted }} replace />;
    return (
      <main>
        <Page>
          {error ? (
            <ErrorPanel says="Your menu could not be read." error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton />
          )}
        </Page>
      </main>
    );
  }
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
