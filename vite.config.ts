import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { routes } from './tools/routes.ts';
import { tillWorker } from './tools/till-worker.ts';

/** What the server answers itself; in development Vite hands it on. The rest are the app's own screens. */
const servers =
  /^\/(?!@|node_modules\/)(api|identity|sandbox|callback|sign-in|sign-out|healthz|readyz|metrics|dev|pay|webhooks)(\/|\?|$)/;

/** The web app: hashed files under dist/web. */
export default defineConfig({
  root: 'web',
  plugins: [react(), routes(), tillWorker()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: {
    strictPort: true,
    proxy: { [servers.source]: { target: process.env.BAHI_SERVER ?? 'http://127.0.0.1:3001' } },
  },
});
