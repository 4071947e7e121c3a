import { toastError } from '../kit/dialog/toast.tsx';
import { useGo } from '../kit/navigation.tsx';
import { useSwitchOrganisation } from '../kit/server/useSwitchOrganisation.ts';
import { NewOrganisation } from './NewOrganisation.tsx';

/** Whoever has made an organisation goes over to it. */
export function Founding({ onClose }: { onClose(): void }) {
  const go = useGo();
  const switchTo = useSwitchOrganisation();
  const over = async (code: string) => {
    onClose();
    try {
      await switchTo(code);
      go('Home');
    } catch (error) {
      toastError(error);
    }
  };
  return <NewOrganisation onMade={(code) => void over(code)} onClose={onClose} />;
}
