// The documents that the server makes up, `kls:/ABS/ROOT/preview.yaml` and so on,
// as strings: nothing here needs VS Code.

/** The scheme of documents that the server makes up. */
export const scheme = 'kls';

/** The parts of a URI, decoded, as VS Code has them. */
export interface UriParts {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

/**
 * Writes a `kls:` URI so that every server reads the same of it. VS Code's own
 * `toString` encodes the `=` and `&` of a query, too, and its `path` and `query`
 * are decoded already.
 */
export function encodeVirtual(uri: UriParts): string {
  const path = uri.path.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':');
  const query = parametersOf(uri).map(([name, value]) => `${encodeURIComponent(name)}=${encodeResource(value)}`).join('&');
  return `${uri.scheme}:${path}${query ? `?${query}` : ''}`;
}

/** A resource's address stays readable: slashes need no encoding in a query. */
function encodeResource(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/');
}

function parametersOf(uri: Pick<UriParts, 'query'>): [string, string][] {
  return uri.query.split('&').filter(Boolean).map((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
  });
}

/** The value of a parameter in the query, undefined without. */
export function parameter(uri: Pick<UriParts, 'query'>, name: string): string | undefined {
  return parametersOf(uri).find(([key]) => key === name)?.[1];
}

/** Whether the text of the document is made with git, which runs a program in the workspace. */
export function needsGit(uri: UriParts): boolean {
  return uri.scheme === scheme && parameter(uri, 'against') === 'head';
}

/** Whether the document is the rendered text of now, whose lines have sources. */
export function isPreview(uri: UriParts): boolean {
  return uri.scheme === scheme && uri.path.endsWith('/preview.yaml') && parameter(uri, 'against') === undefined;
}
