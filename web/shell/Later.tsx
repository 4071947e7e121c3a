import type { Screen } from '../../contract/screens.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { Empty, Page, PageHead, Panel } from '../kit/parts.tsx';

/** A screen that is planned and does not work yet says so. */
export function Later({ screen }: { readonly screen: Screen }) {
  return (
    <Page>
      <PageHead title={screen.label} />
      <Panel>
        <Empty
          sentence={`${screen.label} does not work yet in this version.`}
          action={<ScreenLink screen="Home">Back Home</ScreenLink>}
        />
      </Panel>
    </Page>
  );
}
