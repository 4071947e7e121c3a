import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Landing } from './Landing.tsx';
import { NotFound } from './NotFound.tsx';
import { ScreenPage } from './ScreenPage.tsx';

const root = createRootRoute({ notFoundComponent: NotFound });
const landing = createRoute({ getParentRoute: () => root, path: '/', component: Landing });
const authentication = createRoute({ getParentRoute: () => root, path: '/authentication', component: Landing });
const notFound = createRoute({ getParentRoute: () => root, path: '/404', component: NotFound });

const screen = createRoute({
  getParentRoute: () => root,
  path: '/layout/$',
  // `/layout` by itself matches too, with nothing behind it: that is home
  beforeLoad: ({ params }) => {
    if (!params._splat) throw redirect({ to: '/layout/$', params: { _splat: 'Home' } });
  },
  component: ScreenPage,
});
const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  component: lazyRouteComponent(() => import('../operator/Operator.tsx'), 'Operator'),
});
/** Every part in both modes; only in development builds. */
const gallery = createRoute({
  getParentRoute: () => root,
  path: '/gallery',
  component: import.meta.env.DEV ? lazyRouteComponent(() => import('./Gallery.tsx'), 'Gallery') : NotFound,
});

/** Query values are plain text, never JSON. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text));
const stringifySearch = (search: Readonly<Record<string, unknown>>) => {
  const pairs = Object.entries(search).flatMap(([key, value]) => (value == null ? [] : [[key, String(value)]]));
  return pairs.length ? `?${new URLSearchParams(pairs)}` : '';
};

export const router = createRouter({
  routeTree: root.addChildren([landing, authentication, notFound, screen, operator, gallery]),
  caseSensitive: true,
  defaultPreload: 'intent',
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
