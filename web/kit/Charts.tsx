import { type ReactNode, useId, useState } from 'react';
import { Button } from './Button.tsx';

/** The two chart shapes of the product, drawn by hand in SVG. Figures are whole numbers or plain text of numbers. */
const WIDTH = 720;
const HEIGHT = 260;
const LEFT = 56;
const BOTTOM = 28;
const TOP = 10;
const BARS = 30;

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

function Levels({ levels }: { readonly levels: readonly number[] }) {
  const top = levels.at(-1) ?? 1;
  return levels.map((level) => (
    <g key={level}>
      <line className="level" x1={LEFT} x2={WIDTH} y1={yOf(level, top)} y2={yOf(level, top)} />
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
            {asTable ? 'Show chart' : 'Show table'}
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
  const pages = Math.max(1, Math.ceil(bars.length / BARS));
  const current = Math.min(page, pages - 1);
  const shown = bars.slice(current * BARS, (current + 1) * BARS);
  if (bars.length === 0) return <NoData title={title} />;
  const levels = levelsOf(Math.max(...bars.map((bar) => bar.value)));
  const top = levels.at(-1) ?? 1;
  const slot = (WIDTH - LEFT) / Math.max(shown.length, 8);
  const every = Math.ceil(shown.length / 8);
  const table = { head: ['SKU', unit], rows: bars.map((bar) => [bar.label, group.format(bar.value)]) };
  return (
    <Frame title={title} table={table} {...(note ? { note } : {})}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}, ${unit}`}>
        <Levels levels={levels} />
        {shown.map((bar, at) => (
          <g key={bar.label}>
            <rect
              x={LEFT + at * slot + slot * 0.15}
              width={slot * 0.7}
              y={yOf(bar.value, top)}
              height={heightOf(bar.value, top)}
              rx={2}
              fill="var(--brand-focus)"
            >
              <title>{`${bar.label}: ${group.format(bar.value)}`}</title>
            </rect>
            {at % every === 0 && (
              <text x={LEFT + at * slot + slot / 2} y={HEIGHT - 8} textAnchor="middle">
                {bar.label.slice(0, 12)}
              </text>
            )}
          </g>
        ))}
      </svg>
      {pages > 1 && <Pager page={current} pages={pages} onPage={setPage} />}
    </Frame>
  );
}

/** Numbered pages with Previous and Next. */
export function Pager({ page, pages, onPage }: { page: number; pages: number; onPage(page: number): void }) {
  return (
    <nav className="pager" aria-label="Pages">
      <button type="button" disabled={page === 0} aria-label="Previous page" onClick={() => onPage(page - 1)}>
        ‹
      </button>
      {Array.from({ length: pages }, (_, at) => at)
        .filter((at) => Math.abs(at - page) < 3 || at === 0 || at === pages - 1)
        .map((at) => (
          <button key={at} type="button" aria-current={at === page ? 'page' : undefined} onClick={() => onPage(at)}>
            {at + 1}
          </button>
        ))}
      <button type="button" disabled={page === pages - 1} aria-label="Next page" onClick={() => onPage(page + 1)}>
        ›
      </button>
    </nav>
  );
}

export interface Series {
  readonly name: string;
  readonly dashed?: boolean;
  /** One figure per label. */
  readonly values: readonly number[];
}

/** Lines of 2 px over the same labels (days), with a legend; hues differ in lightness, `dashed` marks one more. */
export function LineChart({
  title,
  labels,
  series,
}: {
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}) {
  if (labels.length === 0 || series.every((line) => line.values.every((value) => value === 0)))
    return <NoData title={title} />;
  const levels = levelsOf(Math.max(...series.flatMap((line) => line.values)));
  const top = levels.at(-1) ?? 1;
  const x = (at: number) => LEFT + 8 + ((WIDTH - LEFT - 24) * at) / Math.max(labels.length - 1, 1);
  const every = Math.ceil(labels.length / 10);
  const table = {
    head: ['Day', ...series.map((line) => line.name)],
    rows: labels.map((label, at) => [label, ...series.map((line) => group.format(line.values[at] ?? 0))]),
  };
  const stroke = (line: Series, at: number) => ({
    stroke: `var(--hue-${(at % 6) + 1})`,
    strokeWidth: 2,
    ...(line.dashed ? { strokeDasharray: '6 4' } : {}),
  });
  return (
    <Frame title={title} table={table}>
      <ul className="chart-legend">
        {series.map((line, at) => (
          <li key={line.name}>
            <svg width="22" height="8" style={{ width: 22 }} aria-hidden="true">
              <line x1="0" x2="22" y1="4" y2="4" {...stroke(line, at)} />
            </svg>
            {line.name}
          </li>
        ))}
      </ul>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        <Levels levels={levels} />
        {series.map((line, at) => (
          <polyline
            key={line.name}
            fill="none"
            strokeLinejoin="round"
            {...stroke(line, at)}
            points={line.values.map((value, day) => `${x(day)},${yOf(value, top)}`).join(' ')}
          />
        ))}
        {labels.map((label, at) =>
          at % every === 0 ? (
            <text key={label} x={x(at)} y={HEIGHT - 8} textAnchor="middle">
              {label}
            </text>
          ) : null,
        )}
      </svg>
    </Frame>
  );
}

const NoData = ({ title }: { readonly title: string }) => (
  <section className="chart" aria-label={title}>
    <h2>{title}</h2>
    <p className="empty">No Data</p>
  </section>
);
