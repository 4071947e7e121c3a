import type { RefusalCode } from '../../../../contract/errors.ts';
import type { ConfigurationTab } from '../../../../contract/settings.ts';
import type { KindName } from '../../../../domain/document/kinds/index.ts';
import { Button } from '../../../kit/Button.tsx';
import { useGo } from '../../../kit/navigation.tsx';
import { Refused } from '../../../kit/server/api.ts';
import { useMayWrite } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { useGoTo, usePlaces } from '../../places.ts';

interface Way {
  readonly label: string;
  /** A new document of this kind. */
  readonly kind?: KindName;
  /** A tab of the general configuration. */
  readonly tab?: ConfigurationTab;
}

/** Where somebody goes on from a refusal that is about more than the document. The document is kept as a draft. */
const waysFrom: Readonly<Partial<Record<RefusalCode, readonly Way[]>>> = {
  stockShort: [
    { label: 'Enter opening stock', kind: 'openingStock' },
    { label: 'Allow negative stock', tab: 'inventory' },
  ],
};

/** Buttons for the ways on from a refusal, those that the person may go. */
export function Ways({ refusal }: { readonly refusal: unknown }) {
  const places = usePlaces();
  const goTo = useGoTo();
  const go = useGo();
  const mayChange = useMayWrite('General Configuration');
  const ways = refusal instanceof Refused ? (waysFrom[refusal.code as RefusalCode] ?? []) : [];
  return ways.map(({ label, kind, tab }) => {
    const place = kind && places(kind, 'documentEditor');
    if (place)
      return (
        <Button key={label} onClick={() => goTo(place)}>
          {t(label)}
        </Button>
      );
    return tab && mayChange ? (
      <Button key={label} onClick={() => go('General Configuration', { tab })}>
        {t(label)}
      </Button>
    ) : null;
  });
}
