import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../kit/Button.tsx';
import { t } from '../kit/text.ts';
import { Logo } from './Landing.tsx';

/** Unknown and not granted look the same. */
export function NotFound() {
  const navigate = useNavigate();
  useEffect(() => {
    document.title = t('Not found · Bahi');
  }, []);
  return (
    <main className="landing">
      <Logo size={48} />
      <h1>{t("You don't have Access this Page")}</h1>
      <Button look="primary" onClick={() => void navigate({ to: '/layout/$', params: { _splat: '' } })}>
        {t('Back Home')}
      </Button>
    </main>
  );
}
