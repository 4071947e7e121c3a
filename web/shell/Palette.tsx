import '@mantine/core/styles/Input.layer.css';
import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { markedParts } from '../../domain/base/finding.ts';
import { usePhone } from '../kit/media.ts';
import { useGo } from '../kit/navigation.tsx';
import { useSession } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { type Entry, findablesOf } from './findables.ts';
import { meantBy } from './finding.ts';
import { type FoundGroup, type FoundRecords, type FoundRow, type Shown, useFound } from './found.ts';

const [store, opener] = createSpotlight();
/** Opens the palette once more; the first time it opens as it is drawn. */
export const openPalette = opener.open;

/** Screens that are listed, alone and before records. */
const ALONE = 12;
const BEFORE_RECORDS = 5;
/** Letters that a search takes. */
const MOST = 100;

const groupOfScreens = (entries: readonly Entry[]): FoundGroup => ({
  label: t('Screens and actions'),
  rows: entries.map(({ id, label, description, screen, query }) => ({
    ...{ id, screen, query },
    name: { text: label, marks: 'typed' as const },
    details: [{ text: description }],
  })),
});

/**
 * What is listed. Screens are known at once and come first: what the server finds is put below them and moves none. Screens that
 * are meant with a typing error come last, when the server has answered: a record that has that name is meant before them.
 */
const groupsOf = (
  typed: string,
  session: Parameters<typeof findablesOf>[0],
  records: FoundRecords,
): readonly FoundGroup[] => {
  const { entries, isNear } = meantBy(typed, findablesOf(session));
  const screens = groupOfScreens(entries.slice(0, records.groups.length > 0 ? BEFORE_RECORDS : ALONE));
  const groups = isNear ? [...records.groups, ...(records.isPending ? [] : [screens])] : [screens, ...records.groups];
  return groups.filter(({ rows }) => rows.length > 0);
};

/**
 * Ctrl K: type the name of a screen, what is to be made ("new quotation"), or what a document, a party or an item is known
 * by; Enter opens it. Loaded when it is first asked for, so it opens at once.
 */
export function Palette() {
  const session = useSession();
  const isPhone = usePhone();
  const [typed, setTyped] = useState('');
  useEffect(() => openPalette(), []);
  const records = useFound(typed);
  const groups = groupsOf(typed, session, records);
  const ids = groups.flatMap(({ rows }) => rows.map(({ id }) => id)).join(' ');
  const { list, onKeyDownCapture } = useChoice(typed, ids, records.isPending);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={typed}
      onQueryChange={setTyped}
      // it closes at once: while it faded, its field would still take what is typed for the search that is opened next
      transitionProps={{ duration: 0 }}
      scrollable
      maxHeight={isPhone ? 'calc(100dvh - 56px)' : 'min(70dvh, 560px)'}
      fullScreen={isPhone}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={18} aria-hidden />}
        placeholder={t('Search or jump to')}
        aria-label={t('Search or jump to')}
        maxLength={MOST}
        onKeyDownCapture={onKeyDownCapture}
      />
      <Spotlight.ActionsList id={list} aria-busy={records.isPending}>
        {groups.map((group) => (
          <Group
            key={group.label}
            group={group}
            typed={typed}
            isNamed={groups.length > 1 || records.groups.length > 0}
          />
        ))}
        <Nothing isEmpty={groups.length === 0} {...records} />
      </Spotlight.ActionsList>
      <p role="status" className="hidden-text">
        {typed.trim() === '' || records.isPending ? '' : countOf(groups)}
      </p>
    </Spotlight.Root>
  );
}

const countOf = (groups: readonly FoundGroup[]): string =>
  plural(
    groups.reduce((sum, { rows }) => sum + rows.length, 0),
    'One match',
    '{{count}} matches',
  );

/**
 * Enter opens the row that is chosen, the first at the start. Records of an earlier text stay in sight until the next answer:
 * Enter waits for it rather than open one of them.
 */
function useChoice(typed: string, ids: string, isPending: boolean) {
  const list = `palette-${useId().replace(/\W/g, '')}`;
  const wanted = useRef<string | null>(null);
  const rows = () => [...document.querySelectorAll<HTMLElement>(`#${list} [data-action]`)];
  const chosen = () => rows().find((row) => row.hasAttribute('data-selected'));
  const textOfChoice = useRef(typed);
  /** The arrows chose a row of this text: it stays chosen when the answer comes. */
  const isMoved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other rows, and an answer that is asked for anew may too
  useEffect(() => {
    if (textOfChoice.current !== typed) isMoved.current = false;
    textOfChoice.current = typed;
    const all = rows();
    // a row of the text before may be among those of this one: it is no choice
    const row = (isMoved.current ? chosen() : undefined) ?? all[0];
    for (const other of all) if (other !== row) other.removeAttribute('data-selected');
    if (row && !row.hasAttribute('data-selected')) {
      row.setAttribute('data-selected', 'true');
      store.updateState((state) => ({ ...state, selected: all.indexOf(row) }));
    }
    if (isPending) return;
    if (wanted.current === typed) row?.click();
    wanted.current = null;
  }, [typed, ids, isPending]);
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') isMoved.current = true;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !isPending) return;
    if (chosen() && !chosen()?.hasAttribute('data-record')) return;
    event.preventDefault();
    event.stopPropagation();
    wanted.current = typed;
  };
  return { list, onKeyDownCapture };
}

interface GroupProps {
  readonly group: FoundGroup;
  readonly typed: string;
  readonly isNamed: boolean;
}

function Group({ group: { label, rows }, typed, isNamed }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div role="group" aria-label={label}>
      {isNamed && (
        <p className="palette-group" aria-hidden>
          {label}
        </p>
      )}
      {rows.map((row) => (
        <Row key={row.id} row={row} typed={typed} />
      ))}
    </div>
  );
}

function Row({ row: { id, name, details, amount, screen, query }, typed }: { row: FoundRow; typed: string }) {
  const go = useGo();
  return (
    <Spotlight.Action data-record={/^(document|party|item) /.test(id) || undefined} onClick={() => go(screen, query)}>
      <span className="palette-row">
        <span className="palette-name">
          <Marked shown={name} typed={typed} />
        </span>
        {amount && (
          <span className="palette-amount">
            <Marked shown={amount} typed={typed} />
          </span>
        )}
        <span className="palette-details">
          {details.map((detail, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: details of a row keep their order
            <span key={at}>
              {at > 0 && ' · '}
              <Marked shown={detail} typed={typed} />
            </span>
          ))}
        </span>
      </span>
    </Spotlight.Action>
  );
}

/** A text with the part marked by which it was found. */
function Marked({ shown: { text, marks }, typed }: { readonly shown: Shown; readonly typed: string }) {
  if (marks === undefined) return text;
  if (marks === 'all') return <mark>{text}</mark>;
  return markedParts(text, typed).map(({ text: part, isMarked }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text keep their order
    isMarked ? <mark key={at}>{part}</mark> : part,
  );
}

interface NothingProps {
  readonly isEmpty: boolean;
  readonly isPending: boolean;
  readonly isFailed: boolean;
}

/** What is said in place of records: that they are looked for, could not be, or that there are none. */
function Nothing({ isEmpty, isPending, isFailed }: NothingProps) {
  if (isFailed)
    return <p className="palette-nothing">{t('Documents, parties and items could not be searched. Try again.')}</p>;
  if (!isEmpty) return null;
  return <p className="palette-nothing">{isPending ? t('Searching…') : t('Nothing matches')}</p>;
}
