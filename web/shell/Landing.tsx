import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The screen that was asked for by somebody whose session had not answered yet. */
    wanted?: string;
  }
}

/** `/`: what the product is, and the way in. The server starts the sign-in. When the session answers late, the wanted address is opened. */
export function Landing() {
  const { wanted } = useLocation().state;
  const { data: session } = useQuery({ ...sessionQuery, enabled: wanted !== undefined });
  const navigate = useNavigate();
  useEffect(() => {
    if (session && wanted) void navigate({ href: wanted, replace: true });
  }, [session, wanted, navigate]);
  useEffect(() => {
    document.title = t('Sign in · Bahi');
  }, []);
  return (
    <main className="landing">
      <div className="landing-card">
        <Logo size={48} />
        <h1>{t('Bahi')}</h1>
        <p className="muted">{t('Accounting, invoicing, inventory and GST for Indian businesses.')}</p>
        <form action={t('/api/session/SignIn')} method="get">
          <button type="submit" className="button" data-look="primary">
            {t('Sign in')}
          </button>
        </form>
      </div>
    </main>
  );
}

export const Logo = ({ size = 28 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="var(--brand)" />
    <path
      d="M11 7h7a4.600 4.600 0 0 1 2.400 8.500A4.900 4.900 0 0 1 18.500 25H11zm3 3v4.500h3.600a2.200 2.200 0 0 0 0-4.500zm0 7.500V22h4.200a2.200 2.200 0 0 0 0-4.500z"
      fill="#fff"
    />
  </svg>
);
