import { Menu, Popover } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuilding,
  IconHelp,
  IconMenu2,
  IconPalette,
  IconSearch,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { IconButton } from '../kit/Button.tsx';
import { toastError } from '../kit/dialog/toast.tsx';
import { cut } from '../kit/format.ts';
import { useMedia } from '../kit/media.ts';
import { useGo } from '../kit/navigation.tsx';
import { send } from '../kit/server/api.ts';
import type { Preferences } from '../kit/server/boot.ts';
import { signOut, useMayWrite, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { daysLeft } from './Dialogs.tsx';
import { Logo } from './Landing.tsx';
import { Notifications } from './Notifications.tsx';
import { Places } from './Places.tsx';
import { SettingsMenu } from './SettingsMenu.tsx';
import { ThemePanel } from './ThemePanel.tsx';

interface TopBarProps {
  readonly home: boolean;
  onMenu(): void;
  onPlaces(): void;
  onSearch(): void;
  onHelp(): void;
  onSubscription(): void;
  onAccount(): void;
  onTokens(): void;
  onWebhooks(): void;
  onOrganisation(): void;
}

const keep = (next: Preferences) => void send('POST', '/api/session/SavePreferences', next).catch(toastError);

export function TopBar({
  home,
  onMenu,
  onPlaces,
  onSearch,
  onHelp,
  onSubscription,
  onAccount,
  onTokens,
  onWebhooks,
  onOrganisation,
}: TopBarProps) {
  const { name, email, organisation, organisations, subscription, today, operator, mayFound } = useSession();
  const go = useGo();
  const mayWebhooks = useMayWrite('General Configuration');
  const wide = useMedia('(min-width: 1024px)');
  const left = daysLeft(subscription.endsOn, today);
  return (
    <header className="top">
      {!wide && (
        <IconButton label={t('Menu')} onClick={onMenu}>
          <IconMenu2 size={20} aria-hidden />
        </IconButton>
      )}
      <Link to="/layout/$" params={{ _splat: 'Home' }} className="logo" title={organisation.name}>
        {organisation.logo ? <img src={organisation.logo} alt="" height={28} /> : <Logo />}
        <span className={wide ? undefined : 'hidden-text'}>{cut(organisation.name, 30)}</span>
      </Link>
      {wide && <Places />}
      <div className="top-end">
        {wide ? (
          <button type="button" className="search-open" onClick={onSearch}>
            <IconSearch size={16} aria-hidden />
            <span>{t('Search or jump to')}</span>
            <kbd>{t('Ctrl K')}</kbd>
          </button>
        ) : (
          <>
            <IconButton label={t('Search or jump to')} onClick={onSearch}>
              <IconSearch size={20} aria-hidden />
            </IconButton>
            <IconButton label={t('Organisation and locations')} onClick={onPlaces}>
              <IconBuilding size={20} aria-hidden />
            </IconButton>
          </>
        )}
        {left !== null && left <= 14 && (
          <IconButton
            label={left < 0 ? t('Your pack is expired') : t('Subscription is about to expire')}
            onClick={onSubscription}
          >
            <IconAlertTriangle size={20} color="var(--warn)" aria-hidden />
          </IconButton>
        )}
        {home && wide && (
          <IconButton label={t('Help')} onClick={onHelp}>
            <IconHelp size={20} aria-hidden />
          </IconButton>
        )}
        <Popover position="bottom-end" trapFocus withinPortal>
          <Popover.Target>
            <IconButton label={t('Theme')}>
              <IconPalette size={20} aria-hidden />
            </IconButton>
          </Popover.Target>
          <Popover.Dropdown aria-label={t('Theme')}>
            <ThemePanel onSave={keep} />
          </Popover.Dropdown>
        </Popover>
        {wide && <SettingsMenu />}
        <Notifications />
        <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <IconButton label={t('User menu, {{name}}', { name })}>
              <IconUser size={20} aria-hidden />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>
              {name}
              <br />
              {email}
            </Menu.Label>
            {home && !wide && <Menu.Item onClick={onHelp}>{t('Help')}</Menu.Item>}
            <Menu.Item onClick={onAccount}>{t('Password and sessions')}</Menu.Item>
            <Menu.Item onClick={onTokens}>{t('Access tokens')}</Menu.Item>
            {mayWebhooks && <Menu.Item onClick={onWebhooks}>{t('Webhooks')}</Menu.Item>}
            {organisations.length > 1 && (
              <Menu.Item onClick={() => go('My Organisations')}>{t('My organisations')}</Menu.Item>
            )}
            {mayFound && <Menu.Item onClick={onOrganisation}>{t('New organisation')}</Menu.Item>}
            {operator && (
              <Menu.Item component={Link} to="/operator">
                {t('Operator')}
              </Menu.Item>
            )}
            <Menu.Item onClick={() => void signOut().catch(toastError)}>{t('Logout')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  );
}
