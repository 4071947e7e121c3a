import zones from './facts/pin-zones.json' with { type: 'json' };

const places: Readonly<Record<string, readonly number[]>> = zones.zones;
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const zone = (pin: number) => places[String(Math.trunc(pin / 10_000))];

/**
 * Kilometres by road between two PIN codes as this portal pretends to know them; undefined for an unknown one.
 * Between zones it is the great circle and a fifth; inside one a number that the two codes always give.
 */
export function kilometres(from: number, to: number): number | undefined {
  const [start, end] = [zone(from), zone(to)];
  if (!start || !end) return undefined;
  if (start === end) return from === to ? 0 : 10 + (Math.abs(from - to) % 80);
  const [lat1 = 0, lon1 = 0, lat2 = 0, lon2 = 0] = [...start, ...end].map(radians);
  const cosine = Math.sin(lat1) * Math.sin(lat2) + Math.cos(lat1) * Math.cos(lat2) * Math.cos(lon1 - lon2);
  return Math.max(10, Math.round(6371 * 1.2 * Math.acos(Math.min(1, cosine))));
}

export type Distance = { readonly km: number; readonly known: number | undefined } | 'samePin' | 'unknown' | 'tooFar';

/**
 * The distance a bill gets for the one asked: 0 takes the known one; else ten percent around it, from 1 km when it is
 * below 100; within one PIN code 1 to 100; between unknown ones what was asked, up to 4000.
 */
export function settleDistance(from: number, to: number, asked: number): Distance {
  if (from === to) {
    if (asked === 0) return 'samePin';
    return asked > 100 ? 'tooFar' : { km: asked, known: undefined };
  }
  const known = kilometres(from, to);
  if (known === undefined) {
    if (asked === 0) return 'unknown';
    return asked > 4000 ? 'tooFar' : { km: asked, known };
  }
  if (asked === 0) return { km: Math.min(known, 4000), known };
  const least = known < 100 ? 1 : Math.floor((known * 9) / 10);
  return asked < least || asked > Math.ceil((known * 11) / 10) ? 'tooFar' : { km: asked, known };
}
