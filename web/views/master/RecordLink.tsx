import type { ReactNode } from 'react';
import { ScreenLink } from '../../kit/navigation.tsx';
import { useMayOpen } from '../../kit/server/session.ts';
import { recordPlace } from './page.ts';

interface Props {
  readonly master: string;
  readonly id: string;
  readonly children: ReactNode;
}

/** A link to the page of a record, or to its form; plain text for people who may open neither. */
export function RecordLink({ master, id, children }: Props) {
  const mayOpen = useMayOpen();
  const place = id ? recordPlace(master, id, mayOpen) : undefined;
  return place ? (
    <ScreenLink screen={place.screen} query={place.query}>
      {children}
    </ScreenLink>
  ) : (
    children
  );
}
