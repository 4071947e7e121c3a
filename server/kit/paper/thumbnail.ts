import { type Pixels, pixelsOf, pngOf } from './picture.ts';

/** The longer side of a picture in a list. */
export const THUMBNAIL = 48;

/** A small picture of a PNG as `pngAnew` writes it, each pixel the mean of those it stands for; undefined: it is no such picture. */
export function thumbnail(bytes: Buffer): Buffer | undefined {
  const from = pixelsOf(bytes);
  if (!from) return undefined;
  const scale = Math.min(1, THUMBNAIL / Math.max(from.width, from.height));
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  const data = Buffer.alloc(width * height * from.channels);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const across = span(x, width, from.width);
      const down = span(y, height, from.height);
      for (let channel = 0; channel < from.channels; channel += 1)
        data[(y * width + x) * from.channels + channel] = mean(from, channel, across, down);
    }
  return pngOf({ ...from, width, height, data });
}

type Span = readonly [from: number, to: number];
/** The pixels that one of `parts` stands for, of so many. */
const span = (at: number, parts: number, whole: number): Span => {
  const from = Math.floor((at * whole) / parts);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * whole) / parts))];
};

/** What shows through counts less: the colour of a transparent pixel is that of nothing. */
function mean({ width, channels, data }: Pixels, channel: number, [left, right]: Span, [top, bottom]: Span): number {
  const alpha = channels === 2 || channels === 4 ? channels - 1 : undefined;
  let [total, weights] = [0, 0];
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const at = (y * width + x) * channels;
      const weight = alpha === undefined || alpha === channel ? 1 : (data[at + alpha] ?? 0);
      total += (data[at + channel] ?? 0) * weight;
      weights += weight;
    }
  return weights === 0 ? 0 : Math.round(total / weights);
}
