import type { GeneralConfiguration, Session } from '../../contract/session.ts';
import { type Setting, settingsMenu } from '../../contract/settings.ts';
import { mayOpen, screens } from '../kit/server/session.ts';

/** The settings menu of this person: without entries they may not open, and without empty headings. */
export const settingsFor = (
  grants: Session['grants'],
  settings: GeneralConfiguration,
  menu: readonly Setting[] = settingsMenu,
): readonly Setting[] =>
  menu.flatMap((one) => {
    if (one.needs && settings[one.needs] !== true) return [];
    const within = settingsFor(grants, settings, one.within ?? []);
    const leads = one.screen !== undefined && mayOpen(grants, screens[one.screen]);
    return leads || within.length > 0 ? [{ ...one, ...(one.within && { within }) }] : [];
  });
