import { IconCheck } from '@tabler/icons-react';
import { SelectField } from '../kit/fields/fields.tsx';
import { Segments } from '../kit/parts.tsx';
import { colours, type Font, fonts, type Mode, type Preferences } from '../kit/server/boot.ts';
import { t } from '../kit/text.ts';
import { setPreferences, usePreferences } from '../kit/theme.ts';

const modes = [
  { key: 'default', label: 'Default' },
  { key: 'light', label: 'Light' },
  { key: 'dark', label: 'Dark' },
];

const fontNames: Readonly<Record<Font, string>> = {
  SegoeUI: 'Segoe UI',
  Roboto: 'Roboto',
  OpenSans: 'Open Sans',
  Montserrat: 'Montserrat',
  Raleway: 'Raleway',
  Merriweather: 'Merriweather',
  Quicksand: 'Quicksand',
  Poppins: 'Poppins',
};

/** Mode, colour and font: the person's own, or those of `value`. `locked` shows them without letting them change. */
export function ThemePanel({
  value,
  onSave,
  locked = false,
}: {
  readonly value?: Preferences;
  onSave?(next: Preferences): void;
  readonly locked?: boolean;
}) {
  const own = usePreferences();
  const now = value ?? own;
  const change = (part: Partial<Preferences>) => {
    const next = { ...now, ...part };
    if (!value) setPreferences(next);
    onSave?.(next);
  };
  return (
    <fieldset className="theme-panel" disabled={locked}>
      <legend>{t('Theme')}</legend>
      <Segments
        label={t('Mode')}
        choices={modes}
        current={now.mode}
        onChange={(mode) => change({ mode: mode as Mode })}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be read twice */}
      <div className="swatches" role="group" aria-label={t('Colour')}>
        {Object.entries(colours).map(([name, colour]) => (
          <button
            key={name}
            type="button"
            className="swatch"
            style={{ background: colour }}
            aria-label={t(name)}
            title={t(name)}
            aria-pressed={now.colour === colour}
            onClick={() => change({ colour })}
          >
            {now.colour === colour && <IconCheck size={14} aria-hidden />}
          </button>
        ))}
      </div>
      <SelectField
        label={t('Font')}
        value={now.font}
        choices={fonts.map((font) => ({ value: font, label: fontNames[font] }))}
        onChange={(font) => change({ font: font as Font })}
      />
    </fieldset>
  );
}
