import { t } from '../text.ts';
/** Files that a browser can draw and that are taken as pictures. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** What the browser itself says of a file. */
export class NoPicture extends Error {}

/** The picture drawn anew, no larger than asked: only its pixels leave this browser. As PNG, base64. */
export async function drawnAnew(
  file: File,
  most: { readonly width: number; readonly height: number },
  what: string,
): Promise<string> {
  if (!pictureTypes.includes(file.type)) throw new NoPicture(t('{{what}} is a PNG, JPEG or WebP picture', { what }));
  const picture = await createImageBitmap(file).catch(() => {
    throw new NoPicture(t('This file cannot be read as a picture'));
  });
  const scale = Math.min(1, most.width / picture.width, most.height / picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.toDataURL('image/png').replace(/^data:[^,]*,/, '');
}
