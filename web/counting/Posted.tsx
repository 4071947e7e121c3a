import { ScreenLink } from '../kit/navigation.tsx';
import { Panel } from '../kit/parts.tsx';
import { t } from '../kit/text.ts';
import { usePlaces } from '../views/places.ts';
import type { Sheet } from './counts.ts';

/** What became of a count that is over. */
export function Posted({ sheet, moment }: { readonly sheet: Sheet; moment(at: string): string }) {
  const places = usePlaces();
  const dropped = sheet.state === 'dropped';
  return (
    <Panel title={dropped ? t('Given up') : t('Approved')}>
      <p>
        {t('By {{endedBy}} on', { endedBy: sheet.endedBy })} {sheet.endedAt && moment(sheet.endedAt)}
        {sheet.remark && `: ${sheet.remark}`}.{' '}
        {!dropped && sheet.documents.length === 0 && t('No differences from the books.')}
      </p>
      <ul className="plain-list">
        {sheet.documents.map(({ id, kind, number, reason }) => {
          const view = places(kind, 'documentView');
          return (
            <li key={id}>
              <span>
                {view ? (
                  <ScreenLink screen={view.screen} query={{ ...view.query, id }}>
                    {number}
                  </ScreenLink>
                ) : (
                  number
                )}{' '}
                <span className="muted">{reason}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
