// What the status bar says of the roots that use a file. Nothing here needs VS Code.

/** Whether a root renders. */
export type Verdict = 'builds' | 'fails' | 'unknown';

/** A root as the server tells of it. */
export interface RootVerdict {
  /** The URI of the root's folder or kustomization file. */
  readonly root: string;
  readonly verdict: Verdict;
  readonly errors: number;
  readonly warnings: number;
  /** Why it fails or is unknown. */
  readonly reason?: Reason;
}

/** The first diagnostic that decides a verdict. */
export interface Reason {
  readonly message: string;
  readonly location: { readonly uri: string; readonly range: { readonly start: Position; readonly end: Position } };
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** What the status bar shows. */
export interface Status {
  readonly text: string;
  readonly severity: 'none' | 'warning' | 'error';
}

const icons: Record<Verdict, string> = { builds: '$(check)', fails: '$(error)', unknown: '$(question)' };

/** Sums up the roots that use a file; undefined where none does. */
export function statusOf(roots: readonly RootVerdict[]): Status | undefined {
  if (roots.length === 0) return undefined;
  const worst = worstOf(roots);
  const warnings = sum(roots, 'warnings');
  const text = `${icons[worst]} ${roots.length === 1 ? `${nameOf(roots[0]!.root)} ${wording(worst)}` : countOf(roots, worst)}`;
  const noted = warnings > 0 ? `${text} $(warning) ${warnings}` : text;
  return { text: noted, severity: worst === 'fails' ? 'error' : warnings > 0 ? 'warning' : 'none' };
}

/** One line of the list of roots, as the status bar's menu and tooltip have it. */
export function lineOf(root: RootVerdict): string {
  const parts = [wording(root.verdict)];
  if (root.errors > 0) parts.push(plural(root.errors, 'error'));
  if (root.warnings > 0) parts.push(plural(root.warnings, 'warning'));
  return parts.join(', ');
}

/** Why a root fails or is unknown, and where that is; empty for one that builds. */
export function reasonOf(root: RootVerdict): string {
  if (!root.reason) return '';
  const { uri, range } = root.reason.location;
  const file = decodeURIComponent(uri).split('/').slice(-2).join('/');
  return `${root.reason.message} (${file}:${range.start.line + 1})`;
}

/** Sums up a whole workspace, for the message after a check. */
export function summaryOf(roots: readonly RootVerdict[]): string {
  if (roots.length === 0) return 'There is no kustomization in this workspace.';
  const counts = (['builds', 'fails', 'unknown'] as const)
    .map((verdict) => ({ verdict, count: roots.filter((root) => root.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${{ builds: 'built', fails: 'failed', unknown: 'unknown' }[verdict]}`);
  const found = [plural(sum(roots, 'errors'), 'error'), plural(sum(roots, 'warnings'), 'warning')].join(', ');
  return `${plural(roots.length, 'kustomization')}: ${counts.join(', ')}; ${found}`;
}

/** The icon of a verdict. */
export function iconOf(verdict: Verdict): string {
  return icons[verdict];
}

/** The last two folders of a root: overlays are often all called prod. */
export function nameOf(uri: string): string {
  const parts = decodeURIComponent(uri.replace(/^[a-z]+:\/*/i, '')).split('/').filter(Boolean);
  if (/^kustomization(\.ya?ml)?$/i.test(parts.at(-1) ?? '')) parts.pop();
  return parts.slice(-2).join('/') || '/';
}

function countOf(roots: readonly RootVerdict[], worst: Verdict): string {
  const count = roots.filter((root) => root.verdict === worst).length;
  return count === roots.length ? `${count} roots ${manyWording(worst, count)}` : `${count} of ${roots.length} roots ${manyWording(worst, count)}`;
}

function worstOf(roots: readonly RootVerdict[]): Verdict {
  return (['fails', 'unknown'] as const).find((verdict) => roots.some((root) => root.verdict === verdict)) ?? 'builds';
}

function wording(verdict: Verdict): string {
  return { builds: 'builds', fails: 'fails', unknown: 'is unknown' }[verdict];
}

function manyWording(verdict: Verdict, count: number): string {
  if (count === 1) return wording(verdict);
  return { builds: 'build', fails: 'fail', unknown: 'are unknown' }[verdict];
}

function sum(roots: readonly RootVerdict[], what: 'errors' | 'warnings'): number {
  return roots.reduce((total, root) => total + root[what], 0);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
