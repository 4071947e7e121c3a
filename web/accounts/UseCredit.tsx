import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { moneyText } from '../../domain/base/decimal.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { Button } from '../kit/Button.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { AmountInput } from '../kit/fields/AmountInput.tsx';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { Checkbox, focusFirstError } from '../kit/fields/fields.tsx';
import { stopsAtUnchosen } from '../kit/fields/typing.ts';
import { useWarning } from '../kit/fields/warning.ts';
import { money, rupees } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import {
  ActionBar,
  Empty,
  ErrorPanel,
  figures,
  Page,
  PageHead,
  Panel,
  ScrollX,
  Skeleton,
  TableHead,
} from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { usePartySearch } from '../views/editor/searches.ts';
import {
  changesOf,
  creditsShown,
  duesOf,
  duesShown,
  fixedBecause,
  type Item,
  leftOf,
  nameOf,
  problemOf,
  problemsIn,
  type Standing,
  settleOldestFirst,
  type Typed,
  takeBack,
  textOf,
  typing,
} from './settling.ts';
import '../views/views.css';

/** A party's credits beside what is due: how much of which credit settles which due, typed or oldest first. */
export function UseCredit() {
  const address = useAddress();
  const go = useGo();
  const search = usePartySearch('both');
  const [chosen, setChosen] = useState<Option | null>(null);
  const party = address['party'] ?? '';
  const key = useScreenKey('credits', party);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.GetCreditsListAganistParty({ party }),
    enabled: party !== '',
    // What is being typed is not replaced behind the person's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const name = chosen?.id === party ? chosen.name : (address['name'] ?? '');
  const choose = (option: Option | null) => {
    setChosen(option);
    go('UseCreditView', option ? { party: option.id, name: option.name } : {}, true);
  };
  const fields = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (party === '') fields.current?.querySelector('input')?.focus();
  }, [party]);
  const picker = (
    <div className="fields" ref={fields}>
      <ComboboxField
        label={t('Party')}
        span={2}
        value={party ? { id: party, name } : null}
        search={search}
        placeholder={t('Whose credits?')}
        onChange={choose}
      />
    </div>
  );
  if (party && data && data.credits.length > 0)
    return (
      <Settling
        key={party}
        party={party}
        standing={data}
        start={address['credit'] ?? ''}
        onRefused={() => void refetch()}
      >
        {picker}
      </Settling>
    );
  return (
    <Page narrow>
      <PageHead title={t('Settle credits')} />
      {picker}
      {error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : null}
      {party && isPending && <Skeleton />}
      {!party && <Empty sentence={t('Choose a party to see its credits and dues')} />}
      {data && (
        <Empty sentence={t('This party has no credits. Receipts, payments and notes on account are listed here')} />
      )}
    </Page>
  );
}

interface SettlingProps {
  readonly party: string;
  readonly standing: Standing;
  /** The document whose credit is looked at first. */
  readonly start: string;
  onRefused(): void;
  readonly children: ReactNode;
}

/** What is typed over the settlements of a party, and saved. */
function useSettling({ party, standing, onRefused }: SettlingProps) {
  const cache = useQueryClient();
  const key = useScreenKey('credits', party);
  const [typed, setTyped] = useState<Typed>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const changes = changesOf(standing, typed);
  const problems = problemsIn(standing, typed);
  useWarning(changes.length > 0);
  const save = async () => {
    if (stopsAtUnchosen()) return;
    if (problems.length > 0) return focusFirstError();
    if (changes.length === 0 || busy) return;
    setBusy(true);
    try {
      const saved = await api.SavePartyCreditsAllocation({ party, allocations: [...changes] });
      cache.setQueryData(key, saved);
      setTyped({});
      setError(null);
      toast(plural(changes.length, 'One settlement is saved', '{{count}} settlements are saved'));
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (refused) {
      setError(refused);
      onRefused();
      focusFirstError();
    } finally {
      setBusy(false);
    }
  };
  return { typed, setTyped, error, busy, isChanged: changes.length > 0, save: () => void save() };
}

/** The credit that is looked at: the one that was asked for, else the first that can be used. */
function useCredit({ standing, start }: SettlingProps) {
  const [at, choose] = useState(() => {
    const asked = standing.credits.find((credit) => credit.document === start);
    const usable = standing.credits.find((credit) => credit.open !== '0.00' && !fixedBecause(credit));
    return nameOf(asked ?? usable ?? (standing.credits[0] as Item));
  });
  return { credit: standing.credits.find((each) => nameOf(each) === at) ?? (standing.credits[0] as Item), choose };
}

function Settling(props: SettlingProps) {
  const { standing, start, children } = props;
  const { typed, setTyped, error, busy, isChanged, save } = useSettling(props);
  const { credit, choose } = useCredit(props);
  const [all, setAll] = useState(() => start === '' && standing.credits.every(({ open }) => open === '0.00'));
  const fixed = fixedBecause(credit);
  const share = () => !fixed && setTyped(settleOldestFirst(standing, typed, credit));
  useKeys({ 'ctrl+s': save, 'ctrl+enter': save, 'alt+o': share });
  const leftIn = (items: readonly Item[]) =>
    rupees(moneyText(items.reduce((sum, each) => sum + leftOf(standing, typed, each), 0)));
  return (
    <>
      <Page narrow>
        <PageHead title={t('Settle credits')} />
        {children}
        <Checkbox
          label={t('Settled ones too')}
          help={t('Goods used or amounts paid, without anything to settle')}
          checked={all}
          onChange={setAll}
        />
        {error != null && <ErrorPanel error={error} />}
        <div className="settle-pair">
          <Credits
            credits={all ? standing.credits : creditsShown(standing, typed, credit)}
            standing={standing}
            typed={typed}
            at={nameOf(credit)}
            onChoose={choose}
          />
          <Panel
            title={t('{{number}} settles', { number: credit.number })}
            actions={
              <div className="side-actions">
                <Button disabled={fixed !== undefined} onClick={() => setTyped(takeBack(standing, typed, credit))}>
                  {t('Take back')}
                </Button>
                <Button disabled={fixed !== undefined} title={t('Alt O')} onClick={share}>
                  {t('Oldest first')}
                </Button>
              </div>
            }
          >
            {fixed && <p className="note">{fixed}</p>}
            <Dues
              dues={all ? duesOf(standing, credit) : duesShown(standing, typed, credit)}
              standing={standing}
              typed={typed}
              credit={credit}
              readOnly={fixed !== undefined}
              onType={(each, text) => setTyped((now) => typing(now, credit, each, text))}
            />
          </Panel>
        </div>
      </Page>
      <ActionBar
        figures={[
          { label: t('Credits left'), value: leftIn(standing.credits) },
          { label: t('Due'), value: leftIn(standing.dues), grand: true },
        ]}
      >
        <Button disabled={Object.keys(typed).length === 0} onClick={() => setTyped({})}>
          {t('Undo changes')}
        </Button>
        <Button look="primary" busy={busy} disabled={!isChanged} title={t('Ctrl S')} onClick={save}>
          {t('Save settlements')}
        </Button>
      </ActionBar>
    </>
  );
}

/** The credits, one chosen: arrows change it, as in any group of choices. */
function Credits({
  credits,
  standing,
  typed,
  at,
  onChoose,
}: {
  readonly credits: readonly Item[];
  readonly standing: Standing;
  readonly typed: Typed;
  readonly at: string;
  onChoose(name: string): void;
}) {
  const { show } = useDateFormat();
  return (
    <Panel title={t('Credits')}>
      <fieldset className="credit-choices">
        <legend className="hidden-text">{t('Credit')}</legend>
        {credits.map((credit) => {
          const name = nameOf(credit);
          return (
            <label key={name} className="credit-choice" data-chosen={name === at || undefined}>
              <input type="radio" name="credit" checked={name === at} onChange={() => onChoose(name)} />
              <span>
                <b>{credit.number}</b> <span className="muted">{t(kindLabel(credit.kind))}</span>
                <span className="muted credit-of">
                  {show(credit.date)} · {credit.currency === 'INR' ? '' : `${credit.currency} `}
                  {money(credit.original)}
                </span>
              </span>
              <span className="num">
                <b>{money(moneyText(leftOf(standing, typed, credit)))}</b>
                <span className="muted credit-of">{t('left')}</span>
              </span>
            </label>
          );
        })}
      </fieldset>
    </Panel>
  );
}

function Dues({
  dues,
  standing,
  typed,
  credit,
  readOnly,
  onType,
}: {
  readonly dues: readonly Item[];
  readonly standing: Standing;
  readonly typed: Typed;
  readonly credit: Item;
  readonly readOnly: boolean;
  onType(due: Item, text: string): void;
}) {
  const { show } = useDateFormat();
  if (dues.length === 0) return <p className="muted">{t('There are no dues that this credit could settle.')}</p>;
  return (
    <ScrollX label={t('Dues')}>
      <table className="plain-table settle-dues">
        <TableHead
          columns={[
            t('Document'),
            { label: t('Due'), className: 'wide-only' },
            figures(t('Open')),
            figures(t('Settle')),
          ]}
        />
        <tbody onKeyDown={rowOnEnter}>
          {dues.map((due) => {
            const problem = problemOf(standing, typed, credit, due);
            const text = textOf(standing, typed, credit, due);
            return (
              <tr key={nameOf(due)}>
                <td>
                  {due.number} <span className="muted">{t(kindLabel(due.kind))}</span>
                  {problem && (
                    <span id={`wrong ${nameOf(due)}`} className="field-error">
                      <br />
                      {problem}
                    </span>
                  )}
                </td>
                <td className="wide-only one-line">{show(due.dueDate ?? due.date)}</td>
                <td className="num">{money(moneyText(leftOf(standing, typed, due)))}</td>
                <td className="num">
                  <AmountInput
                    aria-label={t('Settle {{number}}', { number: due.number })}
                    aria-invalid={problem ? true : undefined}
                    aria-describedby={problem ? `wrong ${nameOf(due)}` : undefined}
                    readOnly={readOnly || fixedBecause(due) !== undefined}
                    value={text}
                    onChange={(typed) => onType(due, typed)}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollX>
  );
}

/** Enter and the arrows go from amount to amount. */
const rowOnEnter = (event: KeyboardEvent<HTMLElement>) => {
  const by = { Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
  const inputs = [...event.currentTarget.querySelectorAll('input')];
  const next = inputs[inputs.indexOf(event.target as HTMLInputElement) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
};
