import { type PointerEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { t } from './text.ts';

/** The two chart shapes of the product, drawn by hand in SVG at the width they have, so that words keep their size. */
const HEIGHT = 260;
const LEFT = 48;
const BOTTOM = 28;
const TOP = 10;
const BARS = 30;
const WIDEST_BAR = 48;
/** Pixels of a letter at 12 px, and of a label like 21-11 with the space around it. */
const LETTER = 7;
const DAY_LABEL = 52;

/** The width of an element, kept as it changes; the first one is known before the first paint. */
const useWidth = (): readonly [RefObject<HTMLDivElement | null>, number] => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [box, width];
};

/** A round step so that at most five level lines hold the largest figure. */
const levelsOf = (largest: number): readonly number[] => {
  const rough = Math.max(largest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].map((part) => part * power).find((each) => each >= rough) ?? rough) || 1;
  const whole = step < 1 ? 1 : step;
  return [0, 1, 2, 3, 4].map((level) => level * whole);
};

const group = new Intl.NumberFormat('en-IN');
const heightOf = (value: number, top: number) => (HEIGHT - BOTTOM - TOP) * (value / top);
const yOf = (value: number, top: number) => HEIGHT - BOTTOM - heightOf(value, top);

function Levels({ levels, width }: { readonly levels: readonly number[]; readonly width: number }) {
  const top = levels.at(-1) ?? 1;
  return levels.map((level) => (
    <g key={level}>
      <line className="level" x1={LEFT} x2={width} y1={yOf(level, top)} y2={yOf(level, top)} />
      <text x={LEFT - 8} y={yOf(level, top) + 4} textAnchor="end">
        {group.format(level)}
      </text>
    </g>
  ));
}

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Title, chart or table with the same figures, and the switch between them. */
function Frame({ title, note, table, children }: { title: string; note?: string; table: Table; children: ReactNode }) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <section className="chart" aria-labelledby={id}>
      <div className="page-head">
        <h2 id={id}>{title}</h2>
        {note && <span className="muted">{note}</span>}
        <div className="head-actions">
          <Button look="subtle" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? t('Show chart') : t('Show table')}
          </Button>
        </div>
      </div>
      {asTable ? (
        <table className="chart-table">
          <thead>
            <tr>
              {table.head.map((word, at) => (
                <th key={word} scope="col" className={at ? 'num' : undefined}>
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr key={row[0]}>
                {row.map((cell, at) => (
                  <td key={table.head[at]} className={at ? 'num' : undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        children
      )}
    </section>
  );
}

export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** Bars, 30 a page with a pager. Without bars it says No Data. */
export function BarChart({
  title,
  note,
  unit,
  bars,
}: {
  readonly title: string;
  readonly note?: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}) {
  const [page, setPage] = useState(0);
  const [box, width] = useWidth();
  const pages = Math.max(1, Math.ceil(bars.length / BARS));
  const current = Math.min(page, pages - 1);
  const shown = bars.slice(current * BARS, (current + 1) * BARS);
  if (bars.length === 0) return <NoData title={title} />;
  const levels = levelsOf(Math.max(...bars.map((bar) => bar.value)));
  const top = levels.at(-1) ?? 1;
  const slot = Math.max(width - LEFT, 0) / Math.max(shown.length, 8);
  const thick = Math.min(slot * 0.7, WIDEST_BAR);
  const every = Math.max(1, Math.ceil((12 * LETTER) / Math.max(slot, 1)));
  const letters = Math.max(4, Math.floor((slot * every) / LETTER) - 1);
  const table = { head: ['SKU', unit], rows: bars.map((bar) => [bar.label, group.format(bar.value)]) };
  return (
    <Frame title={title} table={table} {...(note ? { note } : {})}>
      <div ref={box} className="chart-box">
        <svg width={width} height={HEIGHT} role="img" aria-label={`${title}, ${unit}`}>
          <Levels levels={levels} width={width} />
          {shown.map((bar, at) => (
            <g key={bar.label}>
              <rect
                x={LEFT + at * slot + (slot - thick) / 2}
                width={thick}
                y={yOf(bar.value, top)}
                height={heightOf(bar.value, top)}
                rx={2}
                fill="var(--brand-focus)"
              >
                <title>{`${t(bar.label)}: ${group.format(bar.value)}`}</title>
              </rect>
              {at % every === 0 && (
                <text x={LEFT + at * slot + slot / 2} y={HEIGHT - 8} textAnchor="middle">
                  {bar.label.length > letters ? `${bar.label.slice(0, letters - 1)}…` : t(bar.label)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      {pages > 1 && <Pager page={current} pages={pages} onPage={setPage} />}
    </Frame>
  );
}

/** Numbered pages with Previous and Next. */
export function Pager({ page, pages, onPage }: { page: number; pages: number; onPage(page: number): void }) {
  return (
    <nav className="pager" aria-label={t('Pages')}>
      <button type="button" disabled={page === 0} aria-label={t('Previous page')} onClick={() => onPage(page - 1)}>
        ‹
      </button>
      {Array.from({ length: pages }, (_, at) => at)
        .filter((at) => Math.abs(at - page) < 3 || at === 0 || at === pages - 1)
        .map((at) => (
          <button key={at} type="button" aria-current={at === page ? 'page' : undefined} onClick={() => onPage(at)}>
            {at + 1}
          </button>
        ))}
      <button type="button" disabled={page === pages - 1} aria-label={t('Next page')} onClick={() => onPage(page + 1)}>
        ›
      </button>
    </nav>
  );
}

export interface Series {
  readonly name: string;
  readonly dashed?: boolean;
  /** One figure per label; fewer end the line early. */
  readonly values: readonly number[];
}

const stroke = (line: Series, hue: number) => ({
  stroke: `var(--hue-${(hue % 6) + 1})`,
  strokeWidth: 2,
  ...(line.dashed ? { strokeDasharray: '6 4' } : {}),
});

/** Lines of 2 px over the same labels (days), with a legend that tells the figures of the day pointed at; `only` shows one of them. */
export function LineChart({
  title,
  labels,
  series,
  only = null,
}: {
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly only?: string | null;
}) {
  const [box, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const lines = series.map((line, hue) => ({ line, hue })).filter(({ line }) => only === null || line.name === only);
  if (labels.length === 0 || lines.every(({ line }) => line.values.every((value) => value === 0)))
    return <NoData title={title} />;
  const levels = levelsOf(Math.max(...lines.flatMap(({ line }) => line.values)));
  const top = levels.at(-1) ?? 1;
  const step = Math.max(width - LEFT - 24, 0) / Math.max(labels.length - 1, 1);
  const x = (at: number) => LEFT + 8 + step * at;
  const every = Math.max(1, Math.ceil(DAY_LABEL / Math.max(step, 1)));
  const table = {
    head: [t('Day'), ...lines.map(({ line }) => line.name)],
    rows: labels.map((label, at) => [label, ...lines.map(({ line }) => group.format(line.values[at] ?? 0))]),
  };
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const at = Math.round((clientX - currentTarget.getBoundingClientRect().left - x(0)) / Math.max(step, 1));
    setPointed(Math.max(0, Math.min(labels.length - 1, at)));
  };
  return (
    <Frame title={title} table={table}>
      <ul className="chart-legend">
        {lines.map(({ line, hue }) => (
          <li key={line.name}>
            <svg width="22" height="8" aria-hidden="true">
              <line x1="0" x2="22" y1="4" y2="4" {...stroke(line, hue)} />
            </svg>
            {line.name}
            <b className="num">{pointed === null ? '' : group.format(line.values[pointed] ?? 0)}</b>
          </li>
        ))}
      </ul>
      <div ref={box} className="chart-box">
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={title}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          <Levels levels={levels} width={width} />
          {pointed !== null && (
            <line className="pointed" x1={x(pointed)} x2={x(pointed)} y1={TOP} y2={HEIGHT - BOTTOM} />
          )}
          {lines.map(({ line, hue }) =>
            line.values.length === 1 ? (
              <circle key={line.name} cx={x(0)} cy={yOf(line.values[0] ?? 0, top)} r={3} {...stroke(line, hue)} />
            ) : (
              <polyline
                key={line.name}
                fill="none"
                strokeLinejoin="round"
                strokeLinecap="round"
                {...stroke(line, hue)}
                points={line.values.map((value, day) => `${x(day)},${yOf(value, top)}`).join(' ')}
              />
            ),
          )}
          {labels.map((label, at) =>
            at % every === 0 ? (
              <text
                key={label}
                x={x(at)}
                y={HEIGHT - 8}
                textAnchor={at === labels.length - 1 && labels.length > 1 ? 'end' : 'middle'}
              >
                {t(label)}
              </text>
            ) : null,
          )}
        </svg>
      </div>
    </Frame>
  );
}

const NoData = ({ title }: { readonly title: string }) => (
  <section className="chart" aria-label={title}>
    <h2>{title}</h2>
    <p className="empty">{t('No Data')}</p>
  </section>
);
