import { masterOf } from '../../contract/masters.ts';
import { screenOf } from '../../contract/screens.ts';
import { Button } from '../kit/Button.tsx';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Empty, Page, PageHead } from '../kit/parts.tsx';
import { t } from '../kit/text.ts';
import { MasterPage } from '../views/master/MasterPage.tsx';

/** The page of an item on a screen of its own. */
export function ItemView() {
  const { id } = useAddress();
  const go = useGo();
  const list = screenOf({ master: 'item' }, 'masterList');
  const page = masterOf('item')?.page;
  if (id === undefined || !page)
    return (
      <Page narrow>
        <PageHead title={t('Item view')} />
        <Empty sentence={t('Choose an item')} action={list && <Button onClick={() => go(list)}>{t('Items')}</Button>} />
      </Page>
    );
  return <MasterPage name="item" page={page} id={id} />;
}
