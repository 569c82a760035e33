// The settings that the server is started with. Nothing here needs VS Code.

/** Reads a setting of the section `kls`. */
export type Read = (name: string) => unknown;

/** The settings that the server knows; the others are the extension's own. */
export const serverSettings = [
  'rules', 'classes', 'kustomizeVersion', 'kubernetesVersion', 'loadRestrictor', 'exclude', 'schema', 'inlayHints', 'codeLens', 'debounce', 'maxMemory',
] as const;

/** What the server is told when it starts. */
export interface InitializationOptions {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether another extension checks resource files against Kubernetes' schemas. */
  readonly yamlLanguageServer: boolean;
  /** Hovers may have links that run commands of ours. */
  readonly commandLinks: true;
  /** The server tells the verdicts of all roots after each check. */
  readonly verdicts: true;
}

/** Collects what the server is told when it starts. What is not set is left out, so that the server's default counts. */
export function initializationOptions(read: Read, yamlLanguageServer: boolean): InitializationOptions {
  const settings: Record<string, unknown> = {};
  for (const name of serverSettings) {
    const value = read(name);
    if (value !== undefined && value !== null && value !== '') settings[name] = value;
  }
  return { settings, yamlLanguageServer, commandLinks: true, verdicts: true };
}
