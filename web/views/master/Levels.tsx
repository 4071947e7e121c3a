import { levelWords } from '../../../contract/levels.ts';
import { screenNames, screens } from '../../../contract/screens.ts';
import { t } from '../../kit/text.ts';

const levels = Object.entries(levelWords).map(([level, word]) => [Number(level), word] as const);

/** The screens that grants name, by group. Screens that do not work yet and those open to all are left out. */
const groups = (() => {
  const found = new Map<string, { readonly name: string; readonly label: string }[]>();
  const parents = new Set(
    screenNames.filter((name) => screens[name].show.view !== 'later').map((name) => screens[name].parent),
  );
  for (const name of screenNames)
    if (parents.has(name) && !screens[name].always)
      found.set(screens[name].group, [
        ...(found.get(screens[name].group) ?? []),
        { name, label: t(screens[name].label) },
      ]);
  return [...found];
})();

/** What a role may do: one level a screen. */
export function Levels({
  value,
  onChange,
}: {
  readonly value: Readonly<Record<string, number>>;
  onChange(levels: Readonly<Record<string, number>>): void;
}) {
  return (
    <div data-span="4" className="levels">
      {groups.map(([group, rows]) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {rows.map(({ name, label }) => (
            <label key={name}>
              <span>{t(label)}</span>
              <select
                className="input"
                value={value[name] ?? 0}
                onChange={(event) => onChange({ ...value, [name]: Number(event.target.value) })}
              >
                {levels.map(([level, word]) => (
                  <option key={level} value={level}>
                    {word}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
