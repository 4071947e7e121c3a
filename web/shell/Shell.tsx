import { IconHelp } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { Screen } from '../../contract/screens.ts';
import { Opening, SideDrawer } from '../kit/dialog/Dialog.tsx';
import { holdKeys } from '../kit/dialog/heldKeys.ts';
import { KeyHelp } from '../kit/dialog/KeyHelp.tsx';
import { useKeys } from '../kit/hotkeys.ts';
import { useMedia } from '../kit/media.ts';
import { titleOf, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { RecordsMade } from '../views/editor/Creating.tsx';
import { Broadcast, PackExpired, PackExpiring, SessionExpired, usePackExpired } from './Dialogs.tsx';
import { listener, type Told } from './events.ts';
import { Help } from './Help.tsx';
import { menuOf } from './menu.ts';
import { Crumbs, DrawerMenu, Rail, SubMenu } from './Navigation.tsx';
import { Offline } from './Offline.tsx';
import { Places, useChoosing } from './Places.tsx';
import { TopBar } from './TopBar.tsx';

const Founding = lazy(() => import('./Founding.tsx').then((module) => ({ default: module.Founding })));
const Account = lazy(() => import('./Account.tsx').then((module) => ({ default: module.Account })));
const SecondFactorAsked = lazy(() =>
  import('./SecondFactor.tsx').then((module) => ({ default: module.SecondFactorAsked })),
);
const StockPanel = lazy(() => import('./StockPanel.tsx').then((module) => ({ default: module.StockPanel })));
const loadPalette = () => import('./Palette.tsx');
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));

const isInPalette = () => document.activeElement?.matches('input[aria-label="Search or jump to"]') === true;

const LETTERS = 'bahi.letters';
type Panel = 'menu' | 'places' | 'stock' | 'help' | 'keys' | 'subscription' | 'account' | 'organisation';

/** Tells the cache that something changed, as the server sends it; the bell polls besides. */
const useEvents = (): void => {
  const cache = useQueryClient();
  useEffect(() => {
    const source = new EventSource('/api/events');
    const hear = listener(cache);
    let opened = false;
    source.onmessage = ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as Told);
    source.onopen = () => {
      // messages while the connection was broken are not sent again
      if (opened) hear({ changed: true, session: true });
      opened = true;
    };
    return () => source.close();
  }, [cache]);
};

/** Everything around a screen. `name` is the route as written, `screen` its row of the registry. */
export function Shell({ name, screen, children }: { name: string; screen: Screen; children: ReactNode }) {
  const session = useSession();
  const wide = useMedia('(min-width: 1024px)');
  const [panel, setPanel] = useState<Panel | null>(null);
  const [palette, setPalette] = useState(false);
  const [letters, setLetters] = useState(() => localStorage.getItem(LETTERS) !== 'off');
  const menu = useMemo(() => menuOf(session), [session]);
  useEvents();
  // the first Ctrl K of a page opens as fast as the next
  useEffect(() => {
    const later = setTimeout(() => loadPalette().catch(() => undefined), 3000);
    return () => clearTimeout(later);
  }, []);
  useEffect(() => {
    document.title = titleOf(screen, session);
  }, [screen, session]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an open drawer closes when the screen changes
  useEffect(() => setPanel(null), [name]);
  const search = () => {
    void holdKeys(isInPalette);
    if (palette) void loadPalette().then(({ openPalette }) => openPalette());
    else setPalette(true);
  };
  useKeys({
    'ctrl+k': search,
    ...(letters
      ? {
          '?': () => setPanel('keys'),
          '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
        }
      : {}),
  });
  const close = () => setPanel(null);
  const keepLetters = (on: boolean) => {
    setLetters(on);
    localStorage.setItem(LETTERS, on ? 'on' : 'off');
  };
  const where = { menu, group: screen.group, current: name, onStock: () => setPanel('stock') };
  const barred = session.secondFactor.required && !session.secondFactor.on;
  // it stays until the recovery codes were read, whatever is read again meanwhile
  const [enrolling, setEnrolling] = useState(barred);
  useEffect(() => {
    if (barred) setEnrolling(true);
  }, [barred]);
  const home = name === 'Home';
  const choosing = useChoosing();
  const { stops: stopped, pass } = usePackExpired();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('Skip to content')}
      </a>
      <TopBar
        home={home}
        onMenu={() => setPanel('menu')}
        onPlaces={() => setPanel('places')}
        onSearch={search}
        onHelp={() => setPanel('help')}
        onSubscription={() => setPanel('subscription')}
        onAccount={() => setPanel('account')}
        onOrganisation={() => setPanel('organisation')}
      />
      {wide && <Rail {...where} />}
      {wide && <SubMenu {...where} />}
      <Crumbs screen={screen} />
      <main id="main" className="shell-main" tabIndex={-1} aria-busy={choosing} data-choosing={choosing || undefined}>
        <Offline keepsBills={screen.show.view === 'own' && screen.show.name === 'till'} />
        {stopped || barred ? null : <RecordsMade>{children}</RecordsMade>}
      </main>
      {!home && (
        <button
          type="button"
          className="help-float"
          aria-label={t('Help')}
          title={t('Help')}
          onClick={() => setPanel('help')}
        >
          <IconHelp size={24} aria-hidden />
        </button>
      )}
      <SideDrawer open={panel === 'menu'} onClose={close} side="left" title={t('Menu')}>
        <DrawerMenu {...where} />
      </SideDrawer>
      <SideDrawer open={panel === 'places'} onClose={close} title={t('Organisation')}>
        <Places stacked />
      </SideDrawer>
      <Help screen={screen} open={panel === 'help'} onClose={close} onKeys={() => setPanel('keys')} />
      <KeyHelp open={panel === 'keys'} onClose={close} letters={letters} onLetters={keepLetters} />
      <Suspense fallback={<Opening />}>
        {panel === 'stock' && <StockPanel onClose={close} />}
        {panel === 'account' && <Account open onClose={close} />}
        {panel === 'organisation' && <Founding onClose={close} />}
        {!stopped && (barred || enrolling) && <SecondFactorAsked onDone={() => setEnrolling(false)} />}
      </Suspense>
      <SessionExpired />
      {stopped || (panel === 'subscription' && session.subscription.expired) ? (
        <PackExpired
          onPass={() => {
            pass();
            close();
          }}
        />
      ) : (
        <PackExpiring asked={panel === 'subscription'} onClose={close} />
      )}
      {!stopped && <Broadcast />}
      {palette && (
        <Suspense fallback={null}>
          <Palette />
        </Suspense>
      )}
    </div>
  );
}
