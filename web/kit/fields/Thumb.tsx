import { useEffect, useRef, useSyncExternalStore } from 'react';
import { api } from '../server/client.ts';

/** Small pictures by their id, as a page can show them; null for one that is gone. They never change. */
const known = new Map<string, string | null>();
const wanted = new Set<string>();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** As many the server gives at once. */
const AT_ONCE = 50;
/** Milliseconds before pictures that did not come are asked for once more. */
const AGAIN = 2000;

const fetchWanted = async (last = false): Promise<void> => {
  const ids = [...wanted].slice(0, AT_ONCE);
  for (const id of ids) wanted.delete(id);
  if (wanted.size > 0) timer = setTimeout(() => void fetchWanted(), 0);
  try {
    const found = await api.GetPictureThumbnails({ ids });
    for (const id of ids) known.set(id, found.find((one) => one.id === id)?.picture ?? null);
    for (const tell of listeners) tell();
  } catch {
    // a list is as good without its pictures: once more while it may still be in sight, then when it is shown again
    if (last) return;
    setTimeout(() => {
      for (const id of ids) if (!known.has(id)) wanted.add(id);
      if (wanted.size > 0) void fetchWanted(true);
    }, AGAIN);
  }
};
const want = (id: string): void => {
  if (known.has(id)) return;
  wanted.add(id);
  clearTimeout(timer);
  // those of all rows that came into sight together are one call
  timer = setTimeout(() => void fetchWanted(), 40);
};
const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};

/**
 * The small picture of a row, fetched once the row is in sight; its place is kept from the first moment. The row's
 * words say what it is.
 */
export function Thumb({ id }: { readonly id: string | null }) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!id || !box.current) return;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      want(id);
      seen.disconnect();
    });
    seen.observe(box.current);
    return () => seen.disconnect();
  }, [id]);
  const picture = useSyncExternalStore(subscribe, () => (id ? known.get(id) : undefined));
  return (
    <span ref={box} className="thumb" data-none={id === null || undefined} aria-hidden="true">
      {picture && <img src={picture} alt="" width={32} height={32} />}
    </span>
  );
}
