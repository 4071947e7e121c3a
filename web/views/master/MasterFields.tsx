import type { Master } from '../../../contract/masters.ts';
import { Panel } from '../../kit/parts.tsx';
import type { Problem } from '../../kit/server/api.ts';
import { useSession, usesGst } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { isAddressPart } from './briefAddress.ts';
import { hidesCost } from './hidesCost.ts';
import { MasterField } from './MasterField.tsx';
import { sectionsOf, type Values } from './values.ts';

const holds = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== false;

/** The fields that are drawn: all, or only those that must be given and the usual few (`brief`). */
export const drawnFields = (master: Master, brief: boolean): readonly string[] =>
  Object.keys(master.fields).filter(
    (key) =>
      !brief ||
      master.fields[key]?.required ||
      key === 'hsn' ||
      key === 'gstin' ||
      key === 'saleRate' ||
      key === 'phone' ||
      isAddressPart(key),
  );

/** All fields of a master in their panels, or only the required ones (`brief`). */
export function MasterFields({
  master,
  values,
  names = {},
  fixed = {},
  problems,
  brief = false,
  onChange,
}: {
  readonly master: Master;
  readonly values: Values;
  readonly names?: Readonly<Record<string, string>>;
  /** Fields that can no longer change, each with its reason. */
  readonly fixed?: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  readonly brief?: boolean;
  onChange(patch: Values): void;
}) {
  const session = useSession();
  const { settings } = session;
  const isAsked = (key: string): boolean => {
    const { needs, ofGst } = master.fields[key] ?? {};
    if (ofGst && !usesGst(session)) return false;
    if (hidesCost(session, master.fields[key], values)) return false;
    return !needs || settings[needs] === true || holds(values[key]);
  };
  const drawn = (keys: readonly string[]) => (
    <div className={brief ? 'fields fields-two' : 'fields'}>
      {keys.filter(isAsked).map((key) => {
        const field = master.fields[key];
        return (
          field && (
            <MasterField
              key={key}
              name={key}
              field={field}
              fields={master.fields}
              values={values}
              names={names}
              wide={key === master.name}
              fixed={fixed[key]}
              problems={problems}
              onChange={onChange}
            />
          )
        );
      })}
    </div>
  );
  if (brief) return drawn(drawnFields(master, brief));
  return sectionsOf(master)
    .filter(([, keys]) => keys.some(isAsked))
    .map(([title, keys]) => (
      <Panel key={title} title={t(title)}>
        {drawn(keys)}
      </Panel>
    ));
}
