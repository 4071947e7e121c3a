import { parseSync } from 'vite';
import { folders, longLines, type Measured, measure } from './measure.ts';
import { filesOf, isTest, textOf } from './source.ts';

/** node tools/run.mjs tools/sizes.ts, or npm run check -- --sizes: the largest of what the sources have. Nothing enforces it. */
const SHOWN = 15;
const LONGEST = 140;
const rooms = ['contract', 'domain', 'sandbox', 'server', 'tools', 'web', 'e2e'];

const files = rooms.flatMap(filesOf);
const sources = files.filter((file) => !isTest(file)).map((file) => ({ file, text: textOf(file) }));
const measured = sources.map(({ file, text }) => measure(file, parseSync(file, text).program, text));

function show(title: string, all: readonly Measured[], unit: string): void {
  process.stdout.write(`\n${title} (${all.length} in all)\n`);
  for (const { name, file, line, size } of [...all].sort((a, b) => b.size - a.size).slice(0, SHOWN))
    process.stdout.write(`${String(size).padStart(6)} ${unit}  ${file}${line ? `:${line}` : ''}  ${name}\n`);
}
const lines = sources.map(({ file, text }) => ({ name: '', file, line: 0, size: text.split('\n').length }));
show(
  'Longest functions',
  measured.flatMap(({ functions }) => functions),
  'lines',
);
show(
  'Widest types',
  measured.flatMap(({ types }) => types),
  'members',
);
show(
  `Lines of more than ${LONGEST} characters`,
  files.flatMap((file) => longLines(file, textOf(file), LONGEST)),
  'characters',
);
show('Longest files without tests', lines, 'lines');
show('Largest folders', folders(files), 'files');
