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
        <p className="landing-claim">{t('Accounting, invoicing, inventory and GST for Indian businesses.')}</p>
        <ul className="landing-points">
          {points().map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <WaysIn />
      </div>
    </main>
  );
}

const points = (): readonly string[] => [
  t('Invoices, bills and vouchers from the keyboard, as fast as you type'),
  t('E-invoices with IRN, e-way bills and GSTR-1 from the same books'),
  t('Stock with batches, serial numbers and several places'),
  t('What is posted stays: every change is logged, and the log is sealed'),
  t('Your parties, items and balances from Excel or Tally, and out again'),
];

/** Books of one's own, the demo, or books that one has: the server says which of them it offers. */
function WaysIn() {
  const { signUp = false, demo = false } = window.__bahi?.offers ?? {};
  return (
    <div className="landing-ways">
      {signUp && (
        <a href="/sign-up" className="button" data-look="primary">
          {t('Start your books')}
        </a>
      )}
      {demo && (
        <a href="/api/session/SignIn?demo" className="button">
          {t('Try the demo')}
        </a>
      )}
      <form action="/api/session/SignIn" method="get">
        <button type="submit" className="button" data-look={signUp ? undefined : 'primary'}>
          {t('Sign in')}
        </button>
      </form>
    </div>
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
