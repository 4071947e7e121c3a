import { expect, test } from 'vitest';
import { filesOfTill } from './till-worker.ts';

const chunk = (fileName: string, more: Record<string, unknown> = {}) => [
  fileName,
  { type: 'chunk', fileName, ...more },
];

test('the worker keeps the first page and the till with what it fetches later, and nothing of other screens', () => {
  const bundle = Object.fromEntries([
    chunk('assets/index.js', {
      isEntry: true,
      imports: ['assets/kit.js'],
      dynamicImports: ['assets/Till.js', 'assets/Editor.js'],
    }),
    chunk('assets/kit.js'),
    chunk('assets/Till.js', {
      ...{ moduleIds: ['/x/web/till/Till.tsx'], imports: ['assets/kit.js'], dynamicImports: ['assets/Selling.js'] },
      viteMetadata: { importedCss: new Set(['assets/Till.css']) },
    }),
    chunk('assets/Selling.js', {
      moduleIds: ['/x/web/till/selling/Selling.tsx'],
      dynamicImports: ['assets/QrCode.js'],
    }),
    chunk('assets/QrCode.js', { dynamicImports: ['assets/other.js'] }),
    chunk('assets/Editor.js'),
    chunk('assets/other.js'),
    ['assets/Till.css', { type: 'asset', fileName: 'assets/Till.css' }],
  ]);
  const kept = ['QrCode.js', 'Selling.js', 'Till.css', 'Till.js', 'index.js', 'kit.js'];
  expect(filesOfTill(bundle)).toEqual(kept.map((name) => `/assets/${name}`));
});
