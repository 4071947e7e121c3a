import path from 'node:path';
import { defineConfig } from 'vite';

/** The programs of the server, beside each other in dist. tools/build.mjs names the entries. */
export default defineConfig({
  // libraries of hundreds of small files, of which little is used: together they are read once, the rest not at all
  ssr: { noExternal: ['kysely', 'zod'] },
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      output: {
        format: 'es',
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        sourcemapExcludeSources: true, // Node reads the map at every start: it needs the lines, not the texts
        // V8 never gives back all that it takes to read a file: some smaller ones, without blanks, are 15 MB less at rest
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        codeSplitting: {
          groups: ['node_modules/zod', 'node_modules/kysely', 'domain', 'contract'].map((folder) => ({
            name: path.basename(folder),
            test: (id: string) => id.startsWith(path.join(import.meta.dirname, folder, '/')),
          })),
        },
      },
    },
  },
});
