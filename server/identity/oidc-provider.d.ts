/** What @types/oidc-provider leaves out: an AsyncLocalStorage. */
declare module 'oidc-provider/lib/helpers/als.js' {
  const requestAnswered: { run(request: unknown, answer: () => unknown): unknown; getStore(): unknown };
  export default requestAnswered;
}
