import { defineConfig } from 'vite';

/** A program of the server: one file in dist, npm packages outside. tools/build.mjs names the entries. */
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node20',
    sourcemap: true,
    minify: false,
    rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs', codeSplitting: false } },
  },
});
