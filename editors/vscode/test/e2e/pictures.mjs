// Takes the pictures of the README and the walkthrough, from what VS Code really shows.
// usage: pictures.mjs CODE-SERVER-FOLDER VSIX [NAME…], into docs/images; needs pngquant, which makes them small
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, pause, Window } from './vscode.mjs';

const [codeServer, vsix, ...names] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '../../../..');
const images = join(repository, 'docs/images');
const overlay = 'overlays/prod/kustomization.yaml';
mkdirSync(images, { recursive: true });

/** Pixels of windows in which there is less to see; others have 640. */
const heights = { hover: 440, completion: 420 };
const pictures = {
  async diagnostics(window) {
    edit('data.config\\.json.database.host', 'data.config\\.json.databse.host');
    edit('name: registry.example.com/shop/web', 'name: registry.example.com/shop/wbe');
    await window.openFile(overlay, 13, 11);
    await window.command('Problems: Focus on Problems View');
    await window.page.locator('.markers-panel .monaco-list-row', { hasText: 'databse' }).waitFor();
    await window.openFile(overlay, 1, 1);
    await window.page.locator('.squiggly-warning').first().waitFor();
  },
  async quickfix(window) {
    await window.openFile(overlay, 13, 14); // behind the word, which the menu would hide
    await lenses(window);
    await window.page.locator('.squiggly-warning').first().waitFor();
    await eventually(async (wait) => {
      await window.page.keyboard.press('Control+.');
      await window.page.locator('.action-widget .monaco-list-row', { hasText: 'Change to web' }).waitFor({ timeout: wait });
    });
  },
  async hover(window) {
    await window.openFile(overlay, 28, 34);
    await lenses(window);
    await window.hover(/localhost[\s\S]*postgres\.shop\.internal/);
  },
  async completion(window) {
    await window.openFile(overlay, 28, 8);
    await window.page.keyboard.press('End');
    await window.page.keyboard.type('\n- data.config\\.json.');
    await window.complete(/^database$/);
  },
  async preview(window) {
    edit('    name: wbe', '    name: web');
    await window.openFile(overlay, 1, 1);
    await window.command('Kustomize: Preview Rendered Output');
    await eventually(async () => { if (!/shop-prod/.test(await window.text(1))) throw new Error('no preview'); });
    await window.showLine(1, /priorityClassName/);
    await window.page.locator('.editor-group-container').nth(1).locator('.view-line', { hasText: 'priorityClassName: high' }).click();
    await eventually(async () => { if (!(await window.notes(1)).length) throw new Error('no source'); });
  },
  async diff(window) {
    edit('    name: wbe', '    name: web');
    await window.openFile(overlay, 8, 14);
    await window.command('Kustomize: Diff Rendered Output Against Base');
    await window.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  },
  async graph(window) {
    await window.command('Kustomize: Show Include Graph');
    const frame = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await frame.locator('#list li').first().waitFor();
  },
};

let folder;
for (const [name, prepare] of Object.entries(pictures)) {
  if (names.length && !names.includes(name)) continue;
  const scratch = mkdtempSync(join(tmpdir(), 'kls-picture-'));
  folder = join(scratch, 'shop');
  cpSync(name === 'graph' ? join(repository, 'examples/shop') : join(here, 'shop'), folder, { recursive: true });
  const window = await Window.open({ codeServer, vsix, folder, scratch, size: { width: name === 'preview' ? 1290 : 1080, height: heights[name] ?? 640 }, scale: 1.5, settings: {
    'window.title': '${rootName}', 'workbench.activityBar.location': 'hidden', 'editor.fontSize': 13.5, 'editor.stickyScroll.enabled': false, 'editor.scrollBeyondLastLine': name !== 'hover',
    'editor.occurrencesHighlight': 'off', 'editor.lightbulb.enabled': 'onCode', 'breadcrumbs.enabled': true, 'workbench.layoutControl.enabled': false,
  } });
  try {
    await window.command('View: Close Primary Side Bar').catch(() => window.page.keyboard.press('Control+B'));
    await prepare(window);
    await window.page.mouse.move(500, (heights[name] ?? 640) - 8);
    await pause(1500);
    await window.picture(join(images, `vscode-${name}.png`));
    execFileSync('pngquant', ['--force', '--skip-if-larger', '--strip', '--ext', '.png', join(images, `vscode-${name}.png`)]);
    console.log(`docs/images/vscode-${name}.png`);
  } finally {
    await window.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Waits for what stands between lines: it moves them. */
async function lenses(window) {
  await window.page.locator('.codelens-decoration a, .codelens-decoration span', { hasText: 'changes' }).first().waitFor();
}

/** Changes the overlay on the disk. */
function edit(from, to) {
  const file = join(folder, overlay);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`no ${from}`);
  writeFileSync(file, text.replace(from, () => to));
}
