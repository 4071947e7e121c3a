import './styles/layers.css';
import './styles/tokens.css';
import './styles/kit.css';
import './styles/shell.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { Toasts } from './kit/dialog/toast.tsx';
import { startLanguage } from './kit/language.ts';
import { Refused } from './kit/server/api.ts';
import { nonce } from './kit/server/boot.ts';
import { copyPlainly } from './kit/table/copied.ts';
import { themeOf, useDark, usePreferences } from './kit/theme.ts';
import { titleOnOverflow } from './kit/titleOnOverflow.ts';
import { router } from './shell/router.tsx';

const cache = new QueryClient({
  defaultOptions: {
    // The server is asked whatever the browser thinks of its network: on the same machine it is there without any.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      // What the server refused stays refused; only a server that cannot be reached is asked again.
      retry: (count, error) => count < 2 && error instanceof Refused && (error.status === 0 || error.status === 503),
    },
  },
});

function App() {
  const { colour } = usePreferences();
  const dark = useDark();
  const theme = useMemo(() => themeOf(colour), [colour]);
  return (
    <MantineProvider theme={theme} forceColorScheme={dark ? 'dark' : 'light'} getStyleNonce={nonce}>
      <QueryClientProvider client={cache}>
        <Toasts />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

// The scroll lock of dialogs writes a style element and looks for its nonce under this name.
Object.assign(window, { __webpack_nonce__: nonce() });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
titleOnOverflow();
copyPlainly();
const page = createRoot(root);
void startLanguage()
  .catch(() => undefined)
  .then(() =>
    page.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
