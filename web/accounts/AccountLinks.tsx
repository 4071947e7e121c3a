import { Button } from '../kit/Button.tsx';
import { useGo } from '../kit/navigation.tsx';
import { useMayOpen } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { addressOf, screenOfReport } from '../views/report/place.ts';

/** Links from a party to its account. */
export function AccountLinks({
  party,
  name,
  statement,
}: {
  readonly party: string;
  readonly name: string;
  readonly statement: string;
}) {
  const go = useGo();
  const mayOpen = useMayOpen();
  const report = screenOfReport(statement);
  return (
    <>
      {report && mayOpen(report) && (
        <Button onClick={() => go(report, { ...addressOf(statement), party })}>{t('Statement')}</Button>
      )}
      {mayOpen('UseCreditView') && (
        <Button onClick={() => go('UseCreditView', { party, name })}>{t('Settle credits')}</Button>
      )}
    </>
  );
}
