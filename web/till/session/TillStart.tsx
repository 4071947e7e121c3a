import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { allows } from '../../../contract/levels.ts';
import { moneyText } from '../../../domain/base/decimal.ts';
import { counted } from '../../../domain/till/till.ts';
import { Button } from '../../kit/Button.tsx';
import { Opening } from '../../kit/dialog/Dialog.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toastError } from '../../kit/dialog/toast.tsx';
import { money, rupees, showMoment } from '../../kit/format.ts';
import { ScreenLink } from '../../kit/navigation.tsx';
import { Badge, Empty, ErrorPanel, Page, PageHead, Panel, ScrollX, Skeleton } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useMayOpen, useScreenKey, useSession } from '../../kit/server/session.ts';
import { plural, t } from '../../kit/text.ts';
import { browserBills } from '../bills/billStore.ts';
import type { TillView } from '../counter.ts';
import { CashCounting, type Counts, countOf, isCount } from './CashCounting.tsx';
import { Figures } from './Figures.tsx';
import { TakeOver } from './TakeOver.tsx';
import type { KeptTill } from './TillForm.tsx';

const TillForm = lazy(() => import('./TillForm.tsx').then((module) => ({ default: module.TillForm })));

interface StartProps {
  readonly tills: readonly TillView[] | undefined;
  readonly error: unknown;
  onRetry(): void;
  onChoose(till: TillView): void;
}

/** Which dialog is open over the tills. */
type Open =
  | { readonly what: 'opening' | 'taking'; readonly till: TillView }
  | { readonly what: 'form'; readonly till: KeptTill | null };

/** Before anything is sold: the tills, who has opened which, and the sessions that were. */
export function TillStart({ tills, error, onRetry, onChoose }: StartProps) {
  const { grants } = useSession();
  const [open, setOpen] = useState<Open | null>(null);
  const mayMake = allows(grants['General Configuration'], 'settings');
  if (error) return <ErrorPanel error={error} onRetry={onRetry} />;
  if (!tills) return <Skeleton />;
  const make = mayMake && (
    <Button look={tills.length ? 'default' : 'primary'} onClick={() => setOpen({ what: 'form', till: null })}>
      {t('New till')}
    </Button>
  );
  return (
    <Page narrow>
      <PageHead
        title={t('Till')}
        count={tills.length ? t('{{tills}} in use', { tills: tills.length }) : undefined}
        actions={tills.length > 0 && make}
      />
      {tills.length === 0 ? (
        <Empty
          sentence={
            mayMake ? t('No tills yet') : t('No tills yet: a user who may change the general configuration adds one')
          }
          action={make}
        />
      ) : (
        <ul className="tills">
          {tills.map((till, index) => (
            <Till key={till.id} till={till} first={index === 0} {...{ mayMake, onChoose }} onOpen={setOpen} />
          ))}
        </ul>
      )}
      <Sessions />
      {open && <TillDialog open={open} onChoose={onChoose} onClose={() => setOpen(null)} />}
    </Page>
  );
}

interface TillProps {
  readonly till: TillView;
  readonly first: boolean;
  readonly mayMake: boolean;
  onChoose(till: TillView): void;
  onOpen(open: Open): void;
}

/** What the button of a till does: it opens a session, goes on with it, or takes it over from another browser. */
const entryOf = ({ till, onChoose, onOpen }: TillProps): { readonly label: string; run(): void } => {
  const { name, session } = till;
  if (!session) return { label: t('Open {{name}}', { name }), run: () => onOpen({ what: 'opening', till }) };
  if (session.here) return { label: t('Sell at {{name}}', { name }), run: () => onChoose(till) };
  return { label: t('Take over {{name}}', { name }), run: () => onOpen({ what: 'taking', till }) };
};

function Till(props: TillProps) {
  const { till, first, mayMake, onOpen } = props;
  const entry = entryOf(props);
  const change = () =>
    api.GetMaster({ master: 'till', id: till.id }).then((kept) => onOpen({ what: 'form', till: kept }), toastError);
  return (
    <li className="panel">
      <div>
        <h2>{till.name}</h2>
        <span className="muted">
          {till.code} · {till.locationName}
        </span>
      </div>
      <SessionNow session={till.session} />
      <div className="buttons">
        <Button autoFocus={first} look={till.session && !till.session.here ? 'default' : 'primary'} onClick={entry.run}>
          {entry.label}
        </Button>
        {mayMake && (
          <Button aria-label={t('Settings of {{name}}', { name: till.name })} onClick={() => void change()}>
            {t('Settings')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Who has opened a till, what it has sold, and whether another browser holds it. */
function SessionNow({ session }: Pick<TillView, 'session'>) {
  if (!session) return <Badge word="Closed" />;
  return (
    <span>
      <Badge word="Open" tone="ok" />{' '}
      {plural(
        session.bills,
        'by {{openedBy}} · {{count}} bill · {{total}}',
        'by {{openedBy}} · {{count}} bills · {{total}}',
        { openedBy: session.openedBy, total: rupees(session.total) },
      )}
      {!session.here && (
        <span className="muted till-held">
          {session.held ? t('In use by another browser') : t('Not used by any browser yet')}
        </span>
      )}
    </span>
  );
}

interface TillDialogProps {
  readonly open: Open;
  onChoose(till: TillView): void;
  onClose(): void;
}

function TillDialog({ open, onChoose, onClose }: TillDialogProps) {
  const cache = useQueryClient();
  const done = () => {
    onClose();
    void cache.invalidateQueries({ queryKey: ['screen'] });
  };
  if (open.what === 'form')
    return (
      <Suspense fallback={<Opening />}>
        <TillForm till={open.till} onSaved={done} onClose={onClose} />
      </Suspense>
    );
  const choose = () => {
    onChoose(open.till);
    done();
  };
  return open.what === 'opening' ? (
    <OpenTill till={open.till} onClose={onClose} onOpened={choose} />
  ) : (
    <TakeOver till={open.till} onClose={onClose} onTaken={choose} />
  );
}

function OpenTill({ till, onOpened, onClose }: { readonly till: TillView; onOpened(): void; onClose(): void }) {
  const [counts, setCounts] = useState<Counts>({});
  return (
    <FormDialog
      title={t('Open {{name}}: how much cash is in the drawer?', { name: till.name })}
      holds={counts}
      verb={t('Open with {{counts}}', { counts: rupees(moneyText(counted(countOf(counts)))) })}
      ready={isCount(counts)}
      save={async () => api.OpenTill({ till: till.id, count: countOf(counts), device: await browserBills.device() })}
      onDone={onOpened}
      onClose={onClose}
    >
      <CashCounting counts={counts} onChange={setCounts} />
    </FormDialog>
  );
}

/** Sessions of all tills, the latest first, each with its figures. */
function Sessions() {
  const { format } = useDateFormat();
  const mayOpen = useMayOpen();
  const [shown, setShown] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('till-sessions'),
    queryFn: () => api.ListTillSessions({}),
  });
  return (
    <Panel
      title={t('Sessions')}
      {...(mayOpen('PoS') && { actions: <ScreenLink screen="PoS">{t('All bills')}</ScreenLink> })}
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={3} />
      ) : data.length === 0 ? (
        <p className="muted">{t('No till was opened yet.')}</p>
      ) : (
        <ScrollX label={t('Sessions of tills')}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('Till')}</th>
                <th>{t('Opened')}</th>
                <th>{t('Closed')}</th>
                <th className="num">{t('Bills')}</th>
                <th className="num">{t('Sold (₹)')}</th>
                <th className="num">{t('Short or over (₹)')}</th>
                <th>
                  <span className="hidden-text">{t('Figures')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((one) => (
                <tr key={one.id}>
                  <td>{one.till}</td>
                  <td className="one-line">
                    {showMoment(one.opened, format)} · {one.openedBy}
                  </td>
                  <td className="one-line">
                    {one.closed ? (
                      `${showMoment(one.closed, format)} · ${one.closedBy}`
                    ) : (
                      <Badge word="Open" tone="ok" />
                    )}
                  </td>
                  <td className="num">{one.bills}</td>
                  <td className="num">{money(one.total)}</td>
                  <td className="num">{one.difference === null ? '–' : money(one.difference)}</td>
                  <td>
                    <Button
                      look="subtle"
                      aria-label={t('Figures of {{till}}, opened {{opened}}', {
                        till: one.till,
                        opened: showMoment(one.opened, format),
                      })}
                      onClick={() => setShown(one.id)}
                    >
                      {t('Figures')}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
      {shown && <Figures session={shown} onClose={() => setShown(null)} />}
    </Panel>
  );
}
