/** A file taken in as its text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Where each call is reached, by its name; made of the contract when the app is built (tools/routes.ts). */
declare module 'virtual:routes' {
  const routes: Readonly<Record<string, { readonly service: string; readonly method: 'GET' | 'POST' }>>;
  export default routes;
}
