/** The trees of examples/, read when the page is built. */
declare module 'kls:examples' {
  const examples: Readonly<Record<string, { readonly title: string; readonly open: string; readonly files: Readonly<Record<string, string>> }>>;
  export default examples;
}
