import { type ComponentType, useLayoutEffect, useSyncExternalStore } from 'react';
import { Skeleton } from '../parts.tsx';

/** A part of the app whose code is fetched when it is first shown, or a little before. */
export type Fetched<P extends object> = ComponentType<P> & {
  /** Begins to fetch it; asking again is nothing. An error is shown where the data would be. */
  ahead(): void;
};

/**
 * A skeleton until the code is there, and then at once the part. React's own `lazy` would keep what has long come
 * behind its fallback for 300 ms, at each screen that is opened for the first time. What could not be fetched is
 * thrown into the nearest boundary, and fetched again when the part is shown anew.
 */
export function fetched<P extends object>(load: () => Promise<ComponentType<P>>): Fetched<P> {
  let Part: ComponentType<P> | undefined;
  let wrong: { readonly error: unknown } | undefined;
  let underWay = false;
  const waiting = new Set<() => void>();
  const tell = () => {
    underWay = false;
    for (const each of waiting) each();
  };
  const ahead = () => {
    if (Part || underWay || wrong) return;
    underWay = true;
    load().then(
      (part) => {
        Part = part;
        tell();
      },
      (error: unknown) => {
        // fetched ahead for nobody: it is tried again when somebody wants it
        if (waiting.size > 0) wrong = { error };
        tell();
      },
    );
  };
  const listen = (each: () => void) => {
    waiting.add(each);
    return () => void waiting.delete(each);
  };
  function Shown(props: P) {
    const Ready = useSyncExternalStore(listen, () => Part);
    const failure = useSyncExternalStore(listen, () => wrong);
    useLayoutEffect(() => {
      ahead();
      return () => {
        wrong = undefined;
      };
    }, []);
    if (failure) throw failure.error;
    return Ready ? <Ready {...props} /> : <Skeleton />;
  }
  return Object.assign(Shown, { ahead });
}
