// The settings that the server is told of. Nothing here needs VS Code.

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
  /** We have the command kls.change, which asks for a value. */
  readonly changes: true;
  /** The server tells the verdicts of all roots after each check. */
  readonly verdicts: true;
}

/** Collects what the server is told when it starts. */
export function initializationOptions(section: unknown, yamlLanguageServer: boolean): InitializationOptions {
  return { settings: settingsOf(section), yamlLanguageServer, commandLinks: true, changes: true, verdicts: true };
}

/**
 * Takes out of the section `kls` what the server knows. What is not set is left out,
 * so that the server's default counts.
 */
export function settingsOf(section: unknown): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  const values = (section ?? {}) as Record<string, unknown>;
  for (const name of serverSettings) {
    const value = values[name];
    if (value !== undefined && value !== null && value !== '') settings[name] = value;
  }
  // VS Code wants the name kls.trace.server for what is kls.trace elsewhere.
  const trace = (values['trace'] as { server?: unknown } | undefined)?.server;
  if (typeof trace === 'string') settings['trace'] = trace;
  return settings;
}
