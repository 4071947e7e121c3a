import { t } from '../kit/text.ts';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/spotlight/styles.layer.css';
import { Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useGo } from '../kit/navigation.tsx';
import { useSession } from '../kit/server/session.ts';
import { findablesOf } from './findables.ts';
import { meantBy } from './finding.ts';

/**
 * Ctrl K: type the name of a screen, or of what is to be made ("new quotation"), Enter opens it. Loaded when it is
 * first asked for, so it opens at once.
 */
export function Palette() {
  const session = useSession();
  const go = useGo();
  const [query, setQuery] = useState('');
  useEffect(() => Spotlight.open(), []);
  const actions = meantBy(query, findablesOf(session)).map(({ id, label, description, screen, query }) => ({
    ...{ id, label: t(label), description },
    onClick: () => go(screen, query),
  }));
  return (
    <Spotlight
      actions={actions}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      filter={(_, found) => found}
      highlightQuery
      limit={12}
      nothingFound={t('Nothing matches')}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t('Search or jump to'),
        'aria-label': t('Search or jump to'),
      }}
    />
  );
}
