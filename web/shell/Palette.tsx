import '@mantine/core/styles/Input.layer.css';
import '@mantine/spotlight/styles.layer.css';
import { Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useGo } from '../kit/navigation.tsx';
import { useSession } from '../kit/server/session.ts';
import { findersOf, makersOf } from './makers.ts';
import { menuOf } from './menu.ts';

/**
 * Ctrl K: type the name of a screen, or of what is to be made ("new quotation"), Enter opens it. Loaded when it is
 * first asked for, so it opens at once.
 */
export function Palette() {
  const session = useSession();
  const { grants } = session;
  const go = useGo();
  const [query, setQuery] = useState('');
  useEffect(() => Spotlight.open(), []);
  const screensHere = menuOf(session).flatMap((group) =>
    group.entries.map(({ name, screen }) => ({
      id: name,
      label: screen.label,
      description: group.name,
      keywords: [name, group.name],
      onClick: () => go(name),
    })),
  );
  const makers = [...makersOf(grants), ...findersOf(grants)].map(({ name, label, group, query }) => ({
    id: `by name ${name}`,
    label,
    description: group,
    keywords: ['create', name],
    onClick: () => go(name, query),
  }));
  // what is called exactly as it was typed comes first: "Till" before "Till bills"
  const asked = query.trim().toLowerCase();
  const isExact = ({ label }: { readonly label: string }) => label.toLowerCase() === asked;
  const all = [...screensHere, ...makers];
  const actions = [...all.filter(isExact), ...all.filter((action) => !isExact(action))];
  return (
    <Spotlight
      actions={actions}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      highlightQuery
      limit={12}
      nothingFound="Nothing matches"
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'Search or jump to',
        'aria-label': 'Search or jump to',
      }}
    />
  );
}
