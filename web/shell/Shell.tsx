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
import { type Change, listener } from './events.ts';
import { Help } from './Help.tsx';
import { menuOf } from './menu.ts';
import { Crumbs, DrawerMenu, Rail, SubMenu } from './Navigation.tsx';
import { Offline } from './Offline.tsx';
import { Places, useChoosing } from './Places.tsx';
import { TopBar } from './TopBar.tsx';

const Founding = lazy(() => import('./Founding.tsx').then((module) => ({ default: module.Founding })));
const Account = lazy(() => import('./Account.tsx').then((module) => ({ default: module.Account })));
const Webhooks = lazy(() => import('./Webhooks.tsx').then((module) => ({ default: module.Webhooks })));
const AccessTokens = lazy(() => import('./AccessTokens.tsx').then((module) => ({ default: module.AccessTokens })));
const SecondFactorAsked = lazy(() =>
  import('./SecondFactor.tsx').then((module) => ({ default: module.SecondFactorAsked })),
);
const StockPanel = lazy(() => import('./StockPanel.tsx').then((module) => ({ default: module.StockPanel })));
const loadPalette = () => import('./Palette.tsx');
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));

const isInPalette = () => document.activeElement?.matches('input[aria-label="Search or jump to"]') === true;

const LETTERS = 'bahi.letters';
type Panel =
  | 'menu'
  | 'places'
  | 'stock'
  | 'help'
  | 'keys'
  | 'subscription'
  | 'account'
  | 'tokens'
  | 'webhooks'
  | 'organisation';

/** Tells the cache that something changed, as the server sends it; the bell polls besides. */
const useEvents = (): void => {
  const cache = useQueryClient();
  useEffect(() => {
    const source = new EventSource('/api/events');
    const hear = listener(cache);
    let opened = false;
    source.onmessage = ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as Change);
    source.onopen = () => {
      // messages while the connection was broken are not sent again
      if (opened) hear({ changed: true, session: true });
      opened = true;
    };
    return () => source.close();
  }, [cache]);
};

/** The palette: opened by a key or the field at the top. */
const usePalette = () => {
  const [isMounted, setMounted] = useState(false);
  // the first Ctrl K of a page opens as fast as the next
  useEffect(() => {
    const later = setTimeout(() => loadPalette().catch(() => undefined), 3000);
    return () => clearTimeout(later);
  }, []);
  const open = () => {
    void holdKeys(isInPalette);
    if (isMounted) void loadPalette().then(({ openPalette }) => openPalette());
    else setMounted(true);
  };
  return { isMounted, open };
};

/** Whether single letters are keys: this browser remembers it. */
const useLetters = () => {
  const [letters, setLetters] = useState(() => localStorage.getItem(LETTERS) !== 'off');
  const keepLetters = (on: boolean) => {
    setLetters(on);
    localStorage.setItem(LETTERS, on ? 'on' : 'off');
  };
  return { letters, keepLetters };
};

/** The keys of every screen. */
const useShellKeys = (letters: boolean, openPalette: () => void, setPanel: (panel: Panel) => void): void =>
  useKeys({
    'ctrl+k': openPalette,
    ...(letters
      ? {
          '?': () => setPanel('keys'),
          '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
        }
      : {}),
  });

/** A required second factor that is not set up yet bars the screens. Setting it up ends when the recovery codes were read. */
const useEnrolment = () => {
  const { secondFactor } = useSession();
  const barred = secondFactor.required && !secondFactor.on;
  // it stays until the recovery codes were read, whatever is read again meanwhile
  const [enrolling, setEnrolling] = useState(barred);
  useEffect(() => {
    if (barred) setEnrolling(true);
  }, [barred]);
  return { barred, asks: barred || enrolling, end: () => setEnrolling(false) };
};

/** Everything around a screen. `name` is the route as written, `screen` its row of the registry. */
export function Shell({ name, screen, children }: { name: string; screen: Screen; children: ReactNode }) {
  const session = useSession();
  const wide = useMedia('(min-width: 1024px)');
  const [panel, setPanel] = useState<Panel | null>(null);
  const { letters, keepLetters } = useLetters();
  const menu = useMemo(() => menuOf(session), [session]);
  useEvents();
  const palette = usePalette();
  useEffect(() => {
    document.title = titleOf(screen, session);
  }, [screen, session]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an open drawer closes when the screen changes
  useEffect(() => setPanel(null), [name]);
  useShellKeys(letters, palette.open, setPanel);
  const close = () => setPanel(null);
  const where = { menu, group: screen.group, current: name, onStock: () => setPanel('stock') };
  const enrolment = useEnrolment();
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
        onSearch={palette.open}
        onHelp={() => setPanel('help')}
        onSubscription={() => setPanel('subscription')}
        onAccount={() => setPanel('account')}
        onTokens={() => setPanel('tokens')}
        onWebhooks={() => setPanel('webhooks')}
        onOrganisation={() => setPanel('organisation')}
      />
      {wide && <Rail {...where} />}
      {wide && <SubMenu {...where} />}
      <Crumbs screen={screen} />
      <main id="main" className="shell-main" tabIndex={-1} aria-busy={choosing} data-choosing={choosing || undefined}>
        <Offline keepsBills={screen.show.view === 'own' && screen.show.name === 'till'} />
        {stopped || enrolment.barred ? null : <RecordsMade>{children}</RecordsMade>}
      </main>
      {!home && <HelpButton onOpen={() => setPanel('help')} />}
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
        {panel === 'tokens' && <AccessTokens onClose={close} />}
        {panel === 'webhooks' && <Webhooks onClose={close} />}
        {panel === 'organisation' && <Founding onClose={close} />}
        {!stopped && enrolment.asks && <SecondFactorAsked onDone={enrolment.end} />}
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
      {palette.isMounted && (
        <Suspense fallback={null}>
          <Palette />
        </Suspense>
      )}
    </div>
  );
}

function HelpButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className="help-float" aria-label={t('Help')} title={t('Help')} onClick={onOpen}>
      <IconHelp size={24} aria-hidden />
    </button>
  );
}
