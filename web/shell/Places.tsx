import { IconBuilding, IconBuildingWarehouse, IconReceiptTax } from '@tabler/icons-react';
import { useIsMutating, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Session } from '../../contract/session.ts';
import { toastError } from '../kit/dialog/toast.tsx';
import { cut } from '../kit/format.ts';
import { useGo } from '../kit/navigation.tsx';
import { send } from '../kit/server/api.ts';
import { held, useSession } from '../kit/server/session.ts';
import { useSwitchOrganisation, useTakeSession } from '../kit/server/useSwitchOrganisation.ts';
import { t } from '../kit/text.ts';

const choosing = ['places'];
/** Whether another place was chosen and what belongs to it is still on its way. */
export const useChoosing = (): boolean => useIsMutating({ mutationKey: choosing }) > 0;

/** Organisation, tax location and physical location: in the top bar, or stacked in the phone's side panel. */
export function Places({ stacked = false }: { readonly stacked?: boolean }) {
  const session = useSession();
  const go = useGo();
  const take = useTakeSession();
  const organisation = useMutation({
    mutationKey: choosing,
    mutationFn: useSwitchOrganisation(),
    onSuccess: () => go('Home'),
    onError: toastError,
  });
  const location = useMutation({
    mutationKey: choosing,
    mutationFn: async (choice: { taxLocation?: string | null; physicalLocation?: string | null }) => {
      await send('POST', '/api/session/ChooseLocations', choice);
      return held(await send<Session>('GET', '/api/session/GetSession'));
    },
    onSuccess: take,
    onError: toastError,
  });
  const busy = organisation.isPending || location.isPending;
  const pickers: readonly PickerProps[] = [
    {
      label: t('Organisation'),
      icon: <IconBuilding size={16} aria-hidden />,
      value: session.organisation.code,
      choices: session.organisations.map(({ code, name }) => ({ value: code, label: name })),
      onChange: (code) => organisation.mutate(code),
    },
    {
      label: t('Tax Location'),
      icon: <IconReceiptTax size={16} aria-hidden />,
      value: registrationOf(session)?.value ?? '',
      choices: [all(t('All tax locations')), ...registrationsOf(session)],
      onChange: (taxLocation) => location.mutate({ taxLocation: taxLocation || null }),
    },
    {
      label: t('Physical Location'),
      icon: <IconBuildingWarehouse size={16} aria-hidden />,
      value: session.physicalLocation ?? '',
      choices: [all(t('All physical locations')), ...session.locations.filter((each) => each.isPhysical).map(choiceOf)],
      onChange: (physicalLocation) => location.mutate({ physicalLocation: physicalLocation || null }),
    },
  ];
  return (
    <div className="places" data-stacked={stacked || undefined} aria-busy={busy}>
      {pickers.map((picker) => (
        <Picker key={picker.label} {...picker} disabled={busy} />
      ))}
    </div>
  );
}

/** Lists, dashboards and reports of every place; a new document begins where the last one was made. */
const all = (label: string) => ({ value: '', label });

/** A registration is chosen by its first tax location. */
const registrationsOf = ({ registrations, locations }: Session) =>
  registrations.flatMap(({ id: registration, gstin }) => {
    const place = locations.find((each) => each.registration === registration && each.isTax);
    return place ? [{ value: place.id, label: gstin ? `${place.name} · ${gstin}` : place.name }] : [];
  });

/** The choice that stands for the tax location kept: another one of the same registration reads as that. */
const registrationOf = (session: Session) => {
  const chosen = session.locations.find(({ id }) => id === session.taxLocation)?.registration;
  return registrationsOf(session).find(
    ({ value }) => session.locations.find(({ id }) => id === value)?.registration === chosen,
  );
};

const choiceOf = ({ id, name }: Session['locations'][number]) => ({ value: id, label: name });

interface PickerProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  onChange(value: string): void;
  readonly disabled?: boolean;
}

const Picker = ({ label, icon, value, choices, onChange, disabled }: PickerProps) => (
  <label className="place">
    <span>{label}</span>
    {icon}
    <select
      className="input"
      value={value}
      disabled={disabled || choices.length === 0}
      title={`${label}: ${t(choices.find((choice) => choice.value === value)?.label) ?? t('none')}`}
      onChange={(event) => onChange(event.target.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {cut(t(choice.label), 30)}
        </option>
      ))}
    </select>
  </label>
);
