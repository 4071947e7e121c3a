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
    minify: false,
    rolldownOptions: {
      output: {
        format: 'es',
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        sourcemapExcludeSources: true, // Node reads the map at every start: it needs the lines, not the texts
      },
    },
  },
});
