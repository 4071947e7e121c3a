import { t } from '../text.ts';

/** Files that can be attached. */
export const attachable = '.pdf,.png,.jpg,.jpeg,.webp,.xlsx,.docx,.csv,.txt';

/** A file as base64, without the mark of its type. */
export const contentOf = (file: File): Promise<string> =>
  new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done((reader.result as string).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 * 1024
      ? t('{{bytes}} kB', { bytes: Math.round(bytes / 1024) })
      : `${Math.round(bytes / (1024 * 1024))} MB`;
