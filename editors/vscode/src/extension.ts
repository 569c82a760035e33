// The extension: commands and what is shown around the language server, which does
// everything else.
import * as vscode from 'vscode';
import { hasYamlChecks, Server } from './client';
import { Explanations } from './explain';
import { Graphs } from './graph';
import { Changes, type Choice } from './set';
import { Previews } from './preview';
import { settingsOf } from './settings';
import { StatusBar } from './status';
import { untrusted } from './untrusted';
import { summaryOf } from './verdicts';
import { needsGit } from './virtual';

let server: Server | undefined;

/** Called by VS Code when a kustomization is in the workspace, or a command of ours runs. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Kustomize (kls)', { log: true });
  // The server's commands come from code lenses and hovers. They are shown in the same way as ours.
  const shown: Record<string, (argument: never) => Promise<unknown>> = {};
  server = new Server(context, log, {
    executeCommand: (command, args, next) => shown[command] ? shown[command](args[0] as never) : next(command, args),
    workspace: {
      configuration: async (params, token, next) => {
        const sections = await next(params, token);
        return Array.isArray(sections) ? sections.map((section, index) => params.items[index]?.section === 'kls' ? settingsOf(section) : section) : sections;
      },
    },
    provideTextDocumentContent: (uri, token, next) =>
      needsGit(uri) && !vscode.workspace.isTrusted ? `# ${untrusted}\n` : next(uri, token),
  });
  const previews = new Previews(server);
  const graphs = new Graphs(server, context.extensionUri);
  const explanations = new Explanations(server, context.extensionUri);
  const changes = new Changes(server);
  const status = new StatusBar(server);
  Object.assign(shown, {
    'kls.preview': previews.showFor.bind(previews),
    'kls.previewDiff': previews.showDiffFor.bind(previews),
    'kls.graph': graphs.showFor.bind(graphs),
    'kls.explain': explanations.showFor.bind(explanations),
  });
  context.subscriptions.push(log, server, previews, graphs, explanations, status);

  const register = (name: string, run: (...args: never[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  register('kls.showPreview', (uri?: vscode.Uri) => previews.show(uri));
  register('kls.showDiffBase', (uri?: vscode.Uri) => previews.showDiff('base', uri));
  register('kls.showDiffHead', (uri?: vscode.Uri) => previews.showDiff('head', uri));
  register('kls.goToSource', () => previews.goToSource());
  register('kls.showGraph', (uri?: vscode.Uri) => graphs.show(uri));
  register('kls.explainValue', () => explanations.show());
  register('kls.changeValue', () => changes.show());
  // Of code actions, not for the palette: its argument is one of the server's choices.
  context.subscriptions.push(vscode.commands.registerCommand('kls.change', (choice: Choice) => changes.change(choice)));
  register('kls.checkWorkspace', () => checkWorkspace(server!));
  register('kls.restartServer', () => server!.restart());
  register('kls.showLog', () => log.show());
  register('kls.showMenu', () => status.showMenu());

  let yamlChecks = hasYamlChecks();
  const restartIfYamlChanged = () => {
    if (hasYamlChecks() === yamlChecks) return;
    yamlChecks = !yamlChecks;
    void server?.restart();
  };
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('kls.path')) void server?.restart();
      if (event.affectsConfiguration('yaml.validate')) restartIfYamlChanged();
    }),
    vscode.extensions.onDidChange(restartIfYamlChanged),
    // What the workspace says counts from now on: kls.path may be another.
    vscode.workspace.onDidGrantWorkspaceTrust(() => server?.restart()),
  );
  void vscode.commands.executeCommand('setContext', 'kls.active', true);
  await server.start();
}

/** Called by VS Code when the window closes. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}

async function checkWorkspace(server: Server): Promise<void> {
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: 'Checking kustomizations' }, async () => {
    // A fresh server reads everything again, also what changed without a word to the editor.
    const checked = new Promise<void>((resolve) => {
      const subscription = server.onVerdicts(() => { subscription.dispose(); resolve(); });
      setTimeout(() => { subscription.dispose(); resolve(); }, 60_000);
    });
    await server.restart();
    await checked;
  });
  await vscode.commands.executeCommand('workbench.actions.view.problems');
  void vscode.window.showInformationMessage(summaryOf(server.roots));
}
