import type { Screen } from '../../contract/screens.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { Empty, Page, PageHead, Panel } from '../kit/parts.tsx';
import { t } from '../kit/text.ts';

/** A screen that is planned and does not work yet says so. */
export function Later({ screen }: { readonly screen: Screen }) {
  return (
    <Page>
      <PageHead title={t(screen.label)} />
      <Panel>
        <Empty
          sentence={t('{{label}} does not work yet in this version.', { label: t(screen.label) })}
          action={<ScreenLink screen="Home">{t('Back Home')}</ScreenLink>}
        />
      </Panel>
    </Page>
  );
}
