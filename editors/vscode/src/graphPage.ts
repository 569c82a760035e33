// Makes of the server's page of the include graph one that a webview shows: scripts
// and styles run by a nonce only, and a click can open a file. Nothing here needs
// VS Code.

/** What the page says to the extension. */
export interface GraphMessage {
  readonly type: 'open';
  /** The node as the graph names it: a path below the folder that the graph is of. */
  readonly id: string;
  /** 1-based; 0 where there is none. */
  readonly line: number;
}

/**
 * Returns the page with a content security policy under which nothing is loaded
 * and only what carries the nonce runs, and with the bridge to the extension
 * before the page's own scripts.
 */
export function hardenPage(html: string, nonce: string): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const meta = /<meta http-equiv="Content-Security-Policy"[^>]*>/;
  if (!meta.test(html)) throw new Error('The page of the graph has no content security policy to replace.');
  if (!html.includes('<body>')) throw new Error('The page of the graph has no body.');
  // The first script tags are the page's own; what looks like a tag later on is data,
  // in which < is escaped, or within the library, where a nonce in a string does nothing.
  return html
    .replace(meta, () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace(/<style>/, () => `<style nonce="${nonce}">${containerStyle}`)
    .replaceAll(/<script( type="application\/json")?( id="data")?( type="application\/json")?>/g, (tag) => `${tag.slice(0, -1)} nonce="${nonce}">`)
    .replace('<body>', () => `<body>\n<script nonce="${nonce}">${bridge}</script>`);
}

/** Cytoscape adds this rule in a style element of its own, which the policy refuses. */
const containerStyle = '.__________cytoscape_container { position: relative }\nbody { padding: 0 }\n';

/** Runs before the page's scripts: the page asks window.klsHost, where there is one, to open a file. */
const bridge = `
(() => {
  const code = acquireVsCodeApi();
  const theme = () => document.body.classList.contains('vscode-light') || document.body.classList.contains('vscode-high-contrast-light') ? 'light' : 'dark';
  window.klsHost = { open: (id, line) => code.postMessage({ type: 'open', id, line }), theme };
  new MutationObserver(() => window.kls && window.kls.setTheme && window.kls.setTheme(theme())).observe(document.body, { attributeFilter: ['class'] });
})();
`;
