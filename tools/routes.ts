import type { Plugin } from 'vite';
import { calls } from '../contract/calls.ts';
import { routesOf } from '../contract/contract.ts';

const NAME = 'virtual:routes';

/** The web app's way to the calls: their routes as plain data, so that no schema of theirs goes to the browser. */
export const routes = (): Plugin => ({
  name: 'bahi-routes',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(routesOf(calls))}` : undefined),
});
