import type { ReactNode } from 'react';
import { Empty, Page, PageHead, ScrollX, TableHead } from '../parts.tsx';

/** A page of few rows: their table, and before the first one a sentence that says what they are for, with the way to it. */
export function TablePage({
  title,
  count,
  create,
  empty,
  columns,
  children,
  beside,
}: {
  readonly title: string;
  readonly count: number;
  /** The button that makes another, for who may. */
  readonly create: ReactNode;
  readonly empty: string;
  readonly columns: Parameters<typeof TableHead>[0]['columns'];
  /** The rows. */
  readonly children: ReactNode;
  /** Dialogs that are open. */
  readonly beside?: ReactNode;
}) {
  return (
    <Page>
      <PageHead title={title} count={count > 0 ? String(count) : undefined} actions={count > 0 && create} />
      {count === 0 ? (
        <Empty sentence={empty} action={create} />
      ) : (
        <div className="panel">
          <ScrollX label={title}>
            <table className="plain-table">
              <TableHead columns={columns} />
              <tbody>{children}</tbody>
            </table>
          </ScrollX>
        </div>
      )}
      {beside}
    </Page>
  );
}
