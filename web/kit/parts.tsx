import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { useHeadEnd } from './fields/headerEnd.ts';
import { messageOf, Refused } from './server/api.ts';
import { useOnline } from './server/online.ts';
import { t } from './text.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

const tones: Readonly<Record<string, Tone>> = {
  ...{
    paid: 'ok',
    generated: 'ok',
    published: 'ok',
    active: 'ok',
    posted: 'ok',
    received: 'ok',
    completed: 'ok',
    settled: 'ok',
  },
  ...{
    'part paid': 'warn',
    pending: 'warn',
    'pending approval': 'warn',
    expiring: 'warn',
    unpaid: 'warn',
    open: 'warn',
  },
  ...{ 'part settled': 'warn', 'on account': 'warn' },
  ...{ overdue: 'bad', failed: 'bad', rejected: 'bad', expired: 'bad' },
  ...{ sent: 'info', confirmed: 'info', queued: 'info', 'in transit': 'info' },
  ...{ draft: 'neutral', cancelled: 'neutral', closed: 'neutral', inactive: 'neutral', retired: 'neutral' },
};

/** A word that a narrow place may cut. */
const LONG_WORD = 16;
/** Dot and word. The word is English and translated here: the tone follows from it unless given. */
export function Badge({ word, tone }: { readonly word: string; readonly tone?: Tone }) {
  const shown = t(word);
  return (
    <span
      className="badge"
      data-tone={tone ?? tones[word.toLowerCase()] ?? 'neutral'}
      title={shown.length > LONG_WORD ? shown : undefined}
    >
      {shown}
    </span>
  );
}

/** The frame of a screen. `fit`: fills the window (lists); `narrow`: at most 1600 px (entry and view). */
export function Page({ children, fit, narrow }: { children: ReactNode; fit?: boolean; narrow?: boolean }) {
  return (
    <div className="page" data-fit={fit || undefined} data-narrow={narrow || undefined}>
      {children}
    </div>
  );
}

/** The one h1 of a screen with its count or badge (`beside`) and its actions at the right. */
export function PageHead({
  title,
  count,
  beside,
  actions,
}: {
  readonly title: string;
  readonly count?: string | undefined;
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
}) {
  const head = useRef<HTMLDivElement>(null);
  useHeadEnd(head);
  return (
    <div ref={head} className="page-head">
      <h1>{title}</h1>
      {count && <span className="count">{count}</span>}
      {beside}
      {actions && <div className="head-actions">{actions}</div>}
    </div>
  );
}

/** A bordered surface, the only card level of a screen. */
export function Panel({
  title,
  actions,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="panel" aria-label={title}>
      {(title || actions) && (
        <div className="panel-head">
          {title ? <h2>{title}</h2> : <span />}
          {actions}
        </div>
      )}
      <div className="panel-body">{children}</div>
    </section>
  );
}

/** What scrolls sideways by itself where it is wider than the screen; the keyboard reaches it too. */
export function ScrollX({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll only what has the focus
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface HeadColumn {
  readonly label: string;
  readonly numeric?: true;
  /** Said only to who listens: a column of buttons. */
  readonly hidden?: true;
  readonly className?: string;
}

/** The head of a column of figures. */
export const figures = (label: string): HeadColumn => ({ label, numeric: true });

/** The head of a plain table; a column that is not there may stand as `false`. */
export function TableHead({ columns }: { readonly columns: readonly (string | HeadColumn | false)[] }) {
  const shown = columns
    .filter((column) => column !== false)
    .map((column): HeadColumn => (typeof column === 'string' ? { label: column } : column));
  return (
    <thead>
      <tr>
        {shown.map(({ label, numeric, hidden, className }) => (
          <th key={label} scope="col" className={numeric ? 'num' : className}>
            {hidden ? <span className="hidden-text">{t(label)}</span> : t(label)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** One sentence and at most one action. */
export function Empty({ sentence, action }: { readonly sentence: string; readonly action?: ReactNode }) {
  return (
    <div className="empty">
      <p>{sentence}</p>
      {action}
    </div>
  );
}

/** What happened, every problem, Retry, and the reference to quote to support. */
export function ErrorPanel({
  error,
  says,
  back = 'try again. Nothing is saved twice.',
  ways,
  onRetry,
}: {
  readonly error: unknown;
  /** What to do with what is typed once there is a connection again. */
  readonly back?: string;
  /** Buttons that lead on from it. */
  readonly ways?: ReactNode;
  /** The sentence of the error catalogue for this place, before the server's own. */
  readonly says?: string;
  readonly onRetry?: () => void;
}) {
  const refused = error instanceof Refused ? error : null;
  // the banner of a lost connection says what becomes of what is typed, and what is shown is read again by itself
  const isSaidAbove = !useOnline() && refused?.code === 'unreachable';
  // a refusal that is marked at a field has its sentence said once
  const listed = refused?.problems.filter(({ message }) => message !== refused.message) ?? [];
  if (isSaidAbove) return null;
  // the typed text is still there, and a reload would lose it
  const isLeft = refused?.code === 'unreachable' && !onRetry;
  return (
    <div className="error-panel" role="alert" tabIndex={-1}>
      <div>
        {says && <p>{says}</p>}
        <p>{isLeft ? t('No answer came. The connection is back: {{back}}', { back }) : messageOf(error)}</p>
        {refused?.code === 'unreachable' && !isLeft && <p>{t('Reload the page?')}</p>}
        {listed.length > 0 && (
          <ul>
            {listed.map((problem) => (
              <li key={`${problem.field}:${problem.row}:${problem.message}`}>
                {problem.row === undefined ? '' : `${t('Line {{row}}:', { row: problem.row + 1 })} `}
                {problem.message}
              </li>
            ))}
          </ul>
        )}
        {refused?.reference && <p className="code">{t('Reference {{reference}}', { reference: refused.reference })}</p>}
      </div>
      {ways}
      {onRetry && <Button onClick={onRetry}>{t('Retry')}</Button>}
    </div>
  );
}

const skeletonWidths = ['92%', '78%', '85%', '70%', '88%', '64%'];

/** Rows in the shape of what is coming; nothing for 150 ms, and after 10 s it says so and offers Retry. */
export function Skeleton({ rows = 8, onRetry }: { readonly rows?: number; readonly onRetry?: () => void }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 10_000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skeletons" role="status" aria-label={t('Loading')}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <span key={row} className="skeleton" style={{ width: skeletonWidths[row % skeletonWidths.length] }} />
      ))}
      {slow && (
        <p>
          {t('This is taking longer than usual.')} {onRetry && <Button onClick={onRetry}>{t('Retry')}</Button>}
        </p>
      )}
    </div>
  );
}

/** The shape of a dashboard while its figures come: cards and a chart; nothing for 150 ms. */
export function FigureSkeleton({ cards, onRetry }: { readonly cards: number; onRetry(): void }) {
  return (
    <div className="figure-skeleton">
      <div className="figure-cards" aria-hidden="true">
        {Array.from({ length: cards }, (_, at) => at).map((at) => (
          <span key={at} className="figure-card">
            <span className="skeleton" style={{ width: '60%' }} />
            <span className="skeleton" style={{ width: '40%', height: 24 }} />
            <span className="skeleton" style={{ width: '50%' }} />
          </span>
        ))}
      </div>
      <div className="panel">
        <Skeleton rows={8} onRetry={onRetry} />
      </div>
    </div>
  );
}

export interface Figure {
  readonly label: string;
  /** Formatted text. */
  readonly value: string;
  readonly grand?: boolean;
}

/** The bar at the bottom of an entry: figures at the left, buttons at the right. Totals are announced after a pause. */
export function ActionBar({ figures = [], children }: { figures?: readonly Figure[]; children: ReactNode }) {
  const grand = figures.find((figure) => figure.grand);
  const [said, setSaid] = useState('');
  const text = grand ? `${grand.label} ${grand.value}` : '';
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), 700);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="action-bar">
      {figures.length > 0 && (
        <dl className="figures">
          {figures.map((figure) => (
            <div key={figure.label} data-grand={figure.grand || undefined}>
              <dt>{t(figure.label)}</dt>
              <dd className="num">{figure.value}</dd>
            </div>
          ))}
        </dl>
      )}
      <span className="hidden-text" role="status">
        {said}
      </span>
      <div className="buttons">{children}</div>
    </div>
  );
}

export interface TabItem {
  readonly key: string;
  readonly label: string;
}

/** Tabs by arrow keys; the panel of the current tab is `children`. */
export function Tabs({
  label,
  tabs,
  current,
  onChange,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly TabItem[];
  readonly current: string;
  onChange(key: string): void;
  readonly children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex((tab) => tab.key === current);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.key);
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(next.key)}"]`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            data-key={tab.key}
            aria-selected={tab.key === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === current ? 0 : -1}
            onClick={() => onChange(tab.key)}
          >
            {t(tab.label)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}

/** A choice of two to five words shown as one control (period, mode). */
export function Segments({
  label,
  choices,
  current,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly TabItem[];
  readonly current: string;
  onChange(key: string): void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row everywhere
    <div className="segments" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.key}
          type="button"
          aria-pressed={choice.key === current}
          onClick={() => onChange(choice.key)}
        >
          {t(choice.label)}
        </button>
      ))}
    </div>
  );
}

/** A dashboard card: the whole card is a button. `amount` stands under the figure. */
export function FigureCard({
  label,
  figure,
  amount,
  period,
  pressed,
  onClick,
}: {
  readonly label: string;
  readonly figure: string;
  readonly amount?: string | undefined;
  readonly period: string;
  readonly pressed?: boolean;
  onClick(): void;
}) {
  return (
    <button type="button" className="figure-card" aria-pressed={pressed ?? false} onClick={onClick}>
      <span className="figure-label">{label}</span>
      <b>{figure}</b>
      {amount !== undefined && <span className="figure-amount">{amount}</span>}
      <span className="muted">{period}</span>
    </button>
  );
}
