// The page of an explanation: the server's Markdown, with links that the extension
// opens. Nothing here needs VS Code.
import MarkdownIt from 'markdown-it';

/** What the page says to the extension. */
export interface LinkMessage {
  readonly type: 'link';
  readonly href: string;
}

/** Where a link leads: a file, and its 1-based line, 0 without one. */
export interface FileLink {
  readonly uri: string;
  readonly line: number;
}

/** Returns the page; nothing runs in it but what carries the nonce, and nothing is loaded. */
export function explanationPage(markdown: string, nonce: string): string {
  const renderer = new MarkdownIt({ html: false, linkify: false });
  renderer.validateLink = (href) => fileLink(href) !== undefined;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<title>Explanation</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
${renderer.render(markdown)}
</main>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

/** Reads a link; undefined for one that leads to no file. */
export function fileLink(href: string): FileLink | undefined {
  const match = /^(file:\/\/\/[^#?]*)(?:#L(\d+)(?:,\d+)?)?$/.exec(href);
  return match ? { uri: match[1]!, line: Number(match[2] ?? 0) } : undefined;
}

const style = `
body { padding: 4px 20px 20px; font: var(--vscode-font-size, 13px)/1.6 var(--vscode-font-family, sans-serif); color: var(--vscode-editor-foreground) }
code { font-family: var(--vscode-editor-font-family, monospace); color: var(--vscode-textPreformat-foreground); background: var(--vscode-textPreformat-background); padding: 1px 4px; border-radius: 3px; overflow-wrap: anywhere }
pre code { display: block; padding: 8px; white-space: pre-wrap; background: var(--vscode-textCodeBlock-background) }
a { color: var(--vscode-textLink-foreground) }
a:focus-visible { outline: 1px solid var(--vscode-focusBorder) }
li { margin: 4px 0 }
`;

const script = `
const code = acquireVsCodeApi();
document.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (!link) return;
  event.preventDefault();
  code.postMessage({ type: 'link', href: link.getAttribute('href') });
});
`;
