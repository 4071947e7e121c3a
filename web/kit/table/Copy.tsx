import { IconCopy } from '@tabler/icons-react';
import { IconButton } from '../Button.tsx';
import { toast, toastError } from '../dialog/toast.tsx';
import { t } from '../text.ts';

/** Puts text on the clipboard; without the right to it (plain http) by way of a selection. */
const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
};

/** A button that copies `text`; `what` names it ("IRN"). Inside a grid it takes no tab stop. */
export function Copy({ text, what, inGrid }: { readonly text: string; readonly what: string; readonly inGrid?: true }) {
  const run = async () => {
    if (await copyText(text)) toast(t('{{what}} copied', { what }));
    else toastError(t('The {{what}} could not be copied', { what }));
  };
  return (
    <IconButton
      label={t('Copy {{what}}', { what })}
      {...(inGrid ? { tabIndex: -1 } : {})}
      onClick={(event) => {
        event.stopPropagation();
        void run();
      }}
    >
      <IconCopy size={15} />
    </IconButton>
  );
}
