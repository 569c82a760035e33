// The VSIX without a server: it says how to get one, and finds it.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Window } from './vscode.mjs';

const overlay = 'overlays/prod/kustomization.yaml';

async function missing(window, { artifacts }) {
  await window.openFile(overlay);
  await window.page.locator('.notification-toast', { hasText: 'go install github.com/kustomize-lsp/kls/cmd/kls@latest' }).waitFor();
  await window.picture(join(artifacts, 'missing.png'));
}

async function found(window, { scratch, kls, at }) {
  // Where go install puts it; the home folder is the scratch one.
  mkdirSync(join(scratch, 'go/bin'), { recursive: true });
  cpSync(kls, join(scratch, 'go/bin/kls'));
  await window.openFile(overlay, ...at(overlay, 'wbe'));
  await window.command('Kustomize: Restart Server');
  await window.page.locator('.editor-instance .squiggly-warning').first().waitFor();
}

/** What is tried, in this order, in one window. */
export const scenarios = {
  open: (options) => Window.open({ ...options, vsix: options.universal, path: '/usr/bin:/bin' }),
  list: [
    { name: 'without a server: how to install it', run: missing },
    { name: 'without a server: found where go install puts it', run: found },
  ],
};
