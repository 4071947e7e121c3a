import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { allows } from '../../contract/levels.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { counted } from '../../domain/till/till.ts';
import { Button } from '../kit/Button.tsx';
import { Opening } from '../kit/dialog/Dialog.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toastError } from '../kit/dialog/toast.tsx';
import { money, rupees, showMoment } from '../kit/format.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { Badge, Empty, ErrorPanel, Page, PageHead, Panel, ScrollX, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, useScreenKey, useSession } from '../kit/server/session.ts';
import { browserBills } from './billStore.ts';
import { CashCounting, type Counts, countOf, isCount } from './CashCounting.tsx';
import type { TillView } from './counter.ts';
import { Figures } from './Figures.tsx';
import { TakeOver } from './TakeOver.tsx';
import type { KeptTill } from './TillForm.tsx';

const TillForm = lazy(() => import('./TillForm.tsx').then((module) => ({ default: module.TillForm })));

/** Before anything is sold: the tills, who has opened which, and the sessions that were. */
export function TillStart({
  tills,
  error,
  onRetry,
  onChoose,
}: {
  readonly tills: readonly TillView[] | undefined;
  readonly error: unknown;
  onRetry(): void;
  onChoose(till: TillView): void;
}) {
  const cache = useQueryClient();
  const { grants } = useSession();
  const [opening, setOpening] = useState<TillView | null>(null);
  const [taking, setTaking] = useState<TillView | null>(null);
  const [form, setForm] = useState<{ readonly till: KeptTill | null } | null>(null);
  const change = ({ id }: TillView) =>
    api.GetMaster({ master: 'till', id }).then((till) => setForm({ till }), toastError);
  const mayMake = allows(grants['General Configuration'], 'settings');
  const refresh = () => void cache.invalidateQueries({ queryKey: ['screen'] });
  if (error) return <ErrorPanel error={error} onRetry={onRetry} />;
  if (!tills) return <Skeleton />;
  const make = mayMake && (
    <Button look={tills.length ? 'default' : 'primary'} onClick={() => setForm({ till: null })}>
      New till
    </Button>
  );
  return (
    <Page narrow>
      <PageHead
        title="Till"
        count={tills.length ? `${tills.length} in use` : undefined}
        actions={tills.length > 0 && make}
      />
      {tills.length === 0 ? (
        <Empty
          sentence={
            mayMake ? 'No tills yet' : 'No tills yet: somebody who may change the general configuration makes one'
          }
          action={make}
        />
      ) : (
        <ul className="tills">
          {tills.map((till, index) => (
            <li key={till.id} className="panel">
              <div>
                <h2>{till.name}</h2>
                <span className="muted">
                  {till.code} · {till.locationName}
                </span>
              </div>
              {till.session ? (
                <span>
                  <Badge word="Open" tone="ok" /> by {till.session.openedBy} · {till.session.bills}{' '}
                  {till.session.bills === 1 ? 'bill' : 'bills'} · {rupees(till.session.total)}
                  {!till.session.here && (
                    <span className="muted till-held">
                      {till.session.held ? 'Held by another browser' : 'Held by no browser yet'}
                    </span>
                  )}
                </span>
              ) : (
                <Badge word="Closed" />
              )}
              <div className="buttons">
                <Button
                  autoFocus={index === 0}
                  look={till.session && !till.session.here ? 'default' : 'primary'}
                  onClick={() =>
                    !till.session ? setOpening(till) : till.session.here ? onChoose(till) : setTaking(till)
                  }
                >
                  {!till.session
                    ? `Open ${till.name}`
                    : till.session.here
                      ? `Sell at ${till.name}`
                      : `Take over ${till.name}`}
                </Button>
                {mayMake && (
                  <Button aria-label={`Settings of ${till.name}`} onClick={() => void change(till)}>
                    Settings
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      <Sessions />
      {opening && (
        <OpenTill
          till={opening}
          onClose={() => setOpening(null)}
          onOpened={() => {
            onChoose(opening);
            setOpening(null);
            refresh();
          }}
        />
      )}
      {taking && (
        <TakeOver
          till={taking}
          onClose={() => setTaking(null)}
          onTaken={() => {
            onChoose(taking);
            setTaking(null);
            refresh();
          }}
        />
      )}
      {form && (
        <Suspense fallback={<Opening />}>
          <TillForm
            till={form.till}
            onSaved={() => {
              setForm(null);
              refresh();
            }}
            onClose={() => setForm(null)}
          />
        </Suspense>
      )}
    </Page>
  );
}

function OpenTill({ till, onOpened, onClose }: { readonly till: TillView; onOpened(): void; onClose(): void }) {
  const [counts, setCounts] = useState<Counts>({});
  return (
    <FormDialog
      title={`Open ${till.name}: what is in the drawer?`}
      holds={counts}
      verb={`Open with ${rupees(moneyText(counted(countOf(counts))))}`}
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
    <Panel title="Sessions" {...(mayOpen('PoS') && { actions: <ScreenLink screen="PoS">All bills</ScreenLink> })}>
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={3} />
      ) : data.length === 0 ? (
        <p className="muted">No till was opened yet.</p>
      ) : (
        <ScrollX label="Sessions of tills">
          <table className="plain-table">
            <thead>
              <tr>
                <th>Till</th>
                <th>Opened</th>
                <th>Closed</th>
                <th className="num">Bills</th>
                <th className="num">Sold (₹)</th>
                <th className="num">Short or over (₹)</th>
                <th>
                  <span className="hidden-text">Figures</span>
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
                      aria-label={`Figures of ${one.till}, opened ${showMoment(one.opened, format)}`}
                      onClick={() => setShown(one.id)}
                    >
                      Figures
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
