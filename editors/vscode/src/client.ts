// The connection to the server: finds the program, starts it, starts it again when
// what it was started with changes, and asks it.
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { ExecuteCommandRequest, LanguageClient, RevealOutputChannelOn, State, type Middleware, type WorkspaceEdit } from 'vscode-languageclient/node';
import { findServer, installCommand, type Found } from './binary';
import { initializationOptions } from './settings';
import { encodeVirtual, scheme } from './virtual';
import type { RootVerdict } from './verdicts';

/** Documents that the server is told of; it ignores those that no kustomization uses. */
const documents = [
  ...['yaml', 'json', 'jsonc', 'properties', 'dotenv', 'ini'].map((language) => ({ scheme: 'file', language })),
  { scheme: 'untitled', language: 'yaml' },
  { scheme: 'file', pattern: '**/{kustomization.yaml,kustomization.yml,Kustomization}' },
  { scheme: 'file', pattern: '**/{*.env,.kls.yaml}' },
  { scheme },
];

/** Commands of links in hovers; no other is run from text that the server sends. */
const linkedCommands = ['kls.preview', 'kls.previewDiff', 'kls.explain', 'kls.graph'];

/** The one server of a window. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<void> = Promise.resolve();
  private readonly verdictsEmitter = new vscode.EventEmitter<readonly RootVerdict[]>();
  private readonly stateEmitter = new vscode.EventEmitter<State>();
  /** Fires after each finished check, with all roots. */
  readonly onVerdicts = this.verdictsEmitter.event;
  /** Fires when the server starts or stops. */
  readonly onState = this.stateEmitter.event;
  /** All roots as of the last check. */
  roots: readonly RootVerdict[] = [];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly middleware: Middleware,
  ) {}

  /** Starts the server, or tells the user how to get it. */
  start(): Promise<void> {
    this.starting = this.starting.then(() => this.startNow());
    return this.starting;
  }

  /** Ends the server and starts it again with what is configured now. */
  restart(): Promise<void> {
    this.starting = this.starting.then(async () => {
      await this.stopNow();
      await this.startNow();
    });
    return this.starting;
  }

  /** Ends the server. */
  stop(): Promise<void> {
    this.starting = this.starting.then(() => this.stopNow());
    return this.starting;
  }

  /** Runs a command of the server; undefined where it has no such command, or does not run. */
  async run<R>(command: string, argument: object, token?: vscode.CancellationToken): Promise<R | undefined> {
    await this.starting;
    if (!this.has(command)) return undefined;
    return await this.client!.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] }, token) as R ?? undefined;
  }

  /** Makes a change that the server planned. */
  async apply(edit: WorkspaceEdit): Promise<boolean> {
    return vscode.workspace.applyEdit(await this.client!.protocol2CodeConverter.asWorkspaceEdit(edit));
  }

  /** Whether the server runs and has the command. */
  has(command: string): boolean {
    return this.client?.initializeResult?.capabilities.executeCommandProvider?.commands.includes(command) ?? false;
  }

  /** The name and version that the server gave. */
  get version(): string {
    const info = this.client?.initializeResult?.serverInfo;
    return info ? `${info.name} ${info.version ?? ''}`.trim() : '';
  }

  /** A document's URI as the server reads it. */
  uriOf(uri: vscode.Uri): string {
    return encodeUri(uri);
  }

  dispose(): void {
    this.verdictsEmitter.dispose();
    this.stateEmitter.dispose();
  }

  private async startNow(): Promise<void> {
    if (this.client) return;
    const found = this.find();
    if ('missing' in found) {
      this.log.error(found.missing);
      void this.offerInstall(found.missing);
      return;
    }
    this.log.info(`starting ${found.file}${found.bundled ? ' (came with the extension)' : ''}`);
    const client = new LanguageClient('kls', 'Kustomize (kls)', {
      // Not in a folder of the workspace: nothing that lies there is to be picked up.
      command: found.file, args: ['lsp'], options: { cwd: homedir() },
    }, {
      documentSelector: documents,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => initializationOptions(vscode.workspace.getConfiguration().get('kls'), hasYamlChecks()),
      middleware: this.middleware,
      markdown: { isTrusted: { enabledCommands: linkedCommands }, supportHtml: false, supportThemeIcons: true },
      uriConverters: { code2Protocol: encodeUri, protocol2Code: (value) => vscode.Uri.parse(value) },
    });
    client.onNotification('kls/verdicts', ({ roots }: { roots: RootVerdict[] | null }) => {
      this.roots = roots ?? [];
      this.verdictsEmitter.fire(this.roots);
    });
    client.onDidChangeState(({ newState }) => this.stateEmitter.fire(newState));
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      this.log.error(String(error));
      void this.offerLog(`kls could not be started: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.roots = [];
    // One that does not end in time is killed by the client library.
    await client?.dispose(2000).catch((error: unknown) => this.log.warn(String(error)));
  }

  private find(): Found {
    // In an untrusted workspace VS Code leaves the workspace's value of kls.path out.
    const configured = vscode.workspace.getConfiguration('kls').get<string>('path', '');
    return findServer({ configured, extension: this.context.extensionPath },
      { platform: process.platform, home: homedir(), searchPath: process.env['PATH'] ?? '', isProgram });
  }

  private async offerInstall(reason: string): Promise<void> {
    const choice = await vscode.window.showErrorMessage(
      `${reason} Install it with: ${installCommand}`, 'Copy Command', 'Open Settings', 'Try Again');
    if (choice === 'Copy Command') await vscode.env.clipboard.writeText(installCommand);
    if (choice === 'Open Settings') await vscode.commands.executeCommand('workbench.action.openSettings', 'kls.path');
    if (choice === 'Try Again') await this.restart();
  }

  private async offerLog(message: string): Promise<void> {
    if (await vscode.window.showErrorMessage(message, 'Show Log') === 'Show Log') this.log.show();
  }
}

/** Whether the YAML extension is there and checks resource files. */
export function hasYamlChecks(): boolean {
  return vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined
    && vscode.workspace.getConfiguration('yaml').get('validate', true);
}

function encodeUri(uri: vscode.Uri): string {
  return uri.scheme === scheme ? encodeVirtual(uri) : uri.toString();
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
