// A VS Code in a browser: code-server with our extension in it, and Chromium before it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const settings = {
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.editor.enablePreview': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.commandCenter': false,
  'window.menuBarVisibility': 'compact',
  'chat.commandCenter.enabled': false,
  'editor.minimap.enabled': false,
  'editor.fontSize': 13,
  'editor.fontFamily': "'DejaVu Sans Mono', monospace",
  'editor.wordBasedSuggestions': 'off',
  'editor.hover.delay': 100,
  'files.autoSave': 'off',
  'git.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/** A window of VS Code with a folder in it. */
export class Window {
  /**
   * Starts a server and opens a folder.
   * options: codeServer (where it is installed), scratch (a folder for data and extensions), vsix, others (more of them), folder,
   * trusted (false for restricted mode), path and shell (PATH and SHELL of the server), size and scale of the window, settings.
   */
  static async open(options) {
    const window = new Window();
    const data = join(options.scratch, 'data');
    const extensions = join(options.scratch, 'extensions');
    mkdirSync(join(data, 'User'), { recursive: true });
    writeFileSync(join(data, 'User/settings.json'), JSON.stringify({ ...settings, ...options.settings }, null, 2));
    const entry = join(options.codeServer, 'node_modules/code-server/out/node/entry.js');
    const shared = ['--user-data-dir', data, '--extensions-dir', extensions, '--config', join(options.scratch, 'config.yaml')];
    for (const vsix of [options.vsix, ...(options.others ?? [])]) await run([entry, ...shared, '--install-extension', vsix], options.scratch);
    const port = await freePort();
    window.process = spawn(process.execPath, [entry, ...shared, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry',
      '--disable-update-check', '--disable-getting-started-override', ...(options.trusted === false ? [] : ['--disable-workspace-trust'])],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment(options.scratch), ...(options.path && { PATH: options.path }), ...(options.shell && { SHELL: options.shell }) } });
    window.output = '';
    for (const stream of [window.process.stdout, window.process.stderr]) stream.on('data', (chunk) => { window.output += chunk; });
    try {
      await until(() => /HTTP server listening/.test(window.output), 30_000, () => `code-server did not start:\n${window.output}`);
      window.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu',
        '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
      const context = await window.browser.newContext({ viewport: options.size ?? { width: 1400, height: 860 }, deviceScaleFactor: options.scale ?? 1, colorScheme: 'dark', locale: 'en-US' });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: `http://127.0.0.1:${port}` });
      window.page = await context.newPage();
      await window.page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(options.folder)}`);
      await window.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
      await window.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 60_000 });
    } catch (error) {
      await window.close();
      throw error;
    }
    return window;
  }

  /** Ends the browser and the server. */
  async close() {
    await this.browser?.close();
    if (this.process.exitCode === null) {
      this.process.kill('SIGTERM');
      await Promise.race([once(this.process, 'exit'), pause(5000)]);
      if (this.process.exitCode === null) this.process.kill('SIGKILL');
    }
  }

  /** Opens a file of the folder, with the cursor at a 1-based line and column. */
  async openFile(path, line = 1, column = 1) {
    await this.pick('Control+P', `${path}:${line}:${column}`);
    const name = path.split('/').at(-1);
    await this.page.locator('.editor-group-container.active .tab.active', { hasText: name }).waitFor();
    await this.page.locator('.part.statusbar', { hasText: new RegExp(`Ln ${line}, Col ${column}\\b`) }).waitFor();
  }

  /** Runs a command by its title, and then picks from the list that it opens. */
  async command(title, choice) {
    await this.pick('F1', `>${title}`);
    if (choice) await this.choose(choice);
  }

  /** Moves the cursor of the active editor. */
  async goTo(line, column) {
    await this.pick('Control+G', `:${line}:${column}`);
    await this.page.locator('.part.statusbar', { hasText: new RegExp(`Ln ${line}, Col ${column}\\b`) }).waitFor();
  }

  /** Opens the list that a key opens, types, and takes what has the focus once it says what was typed. */
  async pick(key, text) {
    const input = this.page.locator('.quick-input-widget:not([style*="display: none"]) input[type="text"]');
    const focused = this.page.locator('.quick-input-widget .monaco-list-row.focused');
    const label = text.replace(/^[>:]/, '').replace(/(:\d+)+$/, '').split('/').at(-1);
    await eventually(async () => {
      if (!(await input.isVisible())) await this.page.keyboard.press(key);
      await input.waitFor({ timeout: 2000 });
      await input.fill(text);
      // The list follows the text with a delay.
      await (text.startsWith(':') ? focused : focused.filter({ hasText: label })).first().waitFor({ timeout: 5000 }).catch(async (error) => {
        await this.page.keyboard.press('Escape');
        throw error;
      });
      await pause(150);
    }, 30_000);
    await this.page.keyboard.press('Enter');
    // A command may go on with another list.
    await eventually(async () => {
      if (await input.isVisible() && (await input.inputValue()) === text) throw new Error(`${text} was not taken`);
    });
  }

  /** Picks from a list that is open. */
  async choose(label) {
    const input = this.page.locator('.quick-input-widget:not([style*="display: none"]) input[type="text"]');
    await input.waitFor();
    await input.fill(label);
    await this.page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: label }).waitFor();
    await this.page.keyboard.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  /** Types into the list of commands, and sees that it offers none of that name. */
  async pickNothing(key, text) {
    const input = this.page.locator('.quick-input-widget:not([style*="display: none"]) input[type="text"]');
    await this.page.keyboard.press(key);
    await input.fill(text);
    await this.page.locator('.quick-input-widget .monaco-list-row', { hasText: /No matching commands|similar commands/ }).or(
      this.page.locator('.quick-input-widget .monaco-list-row')).first().waitFor();
    await pause(500);
    const offered = await this.page.locator('.quick-input-widget .monaco-list-row').allInnerTexts();
    await this.page.keyboard.press('Escape');
    if (offered.some((label) => label.includes(text.slice(1)))) throw new Error(`offered: ${offered.join(', ')}`);
  }

  /** The text of the hover at the cursor, once it matches. */
  async hover(expected) {
    const content = this.page.locator('.monaco-hover:not(.hidden) .monaco-hover-content:visible');
    return eventually(async () => {
      await this.page.keyboard.press('Control+K');
      await this.page.keyboard.press('Control+I');
      await content.first().waitFor({ timeout: 3000 });
      await pause(300);
      const text = (await content.allInnerTexts()).join('\n');
      if (!expected.test(text)) throw new Error(`the hover says: ${text}`);
      return text;
    });
  }

  /** The labels that completion offers at the cursor, once one matches. */
  async complete(expected) {
    const rows = this.page.locator('.suggest-widget.visible .monaco-list-row .label-name');
    return eventually(async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+Space');
      await rows.first().waitFor({ timeout: 3000 });
      const labels = await rows.allInnerTexts();
      if (!labels.some((label) => expected.test(label))) throw new Error(`offered: ${labels.join(', ')}`);
      return labels;
    });
  }

  /** The texts of the Problems view. */
  async problems() {
    const rows = this.page.locator('.markers-panel .monaco-list-row');
    if (!(await this.page.locator('.markers-panel').isVisible())) await this.command('Problems: Focus on Problems View');
    await rows.first().waitFor();
    return rows.allInnerTexts();
  }

  /** The text of the editor in a group (0-based, from the left), as far as it is on the screen. */
  async text(group = 0) {
    const lines = await this.page.locator('.editor-group-container').nth(group).locator('.view-line').evaluateAll((found) => found
      .map((line) => ({ top: parseFloat(line.style.top), text: line.textContent ?? '' })).sort((a, b) => a.top - b.top).map((line) => line.text));
    return lines.join('\n').replaceAll('\u00a0', ' ');
  }

  /** What the editor of a group shows behind lines without being in the text. */
  async notes(group) {
    return this.page.locator('.editor-group-container').nth(group).locator('.view-line span').evaluateAll((spans) => spans
      .map((span) => getComputedStyle(span, '::after').content).filter((content) => content !== 'none' && content !== 'normal' && content !== '""'));
  }

  /** Scrolls an editor that has no cursor to a line that matches. */
  async showLine(group, expected) {
    const editor = this.page.locator('.editor-group-container').nth(group).locator('.monaco-editor').first();
    await editor.hover();
    await this.page.mouse.wheel(0, -100_000);
    await eventually(async () => {
      if (expected.test(await this.text(group))) return;
      await this.page.mouse.wheel(0, 300);
      await pause(100);
      throw new Error(`no line matches ${expected}:\n${await this.text(group)}`);
    });
  }

  /** The name of the active tab. */
  async activeTab() {
    return (await this.page.locator('.editor-group-container.active .tab.active').innerText()).trim();
  }

  /** Closes all that is open, and drops what is not saved. */
  async closeAll() {
    for (let i = 0; i < 3; i++) await this.page.keyboard.press('Escape');
    await this.command('View: Close All Editors');
    const discard = this.page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
    const none = this.page.locator('.editor-group-container.empty').first();
    await discard.or(none).waitFor();
    if (await discard.isVisible()) await discard.click();
    await none.waitFor();
  }

  /** Takes a picture of the window. */
  async picture(file, clip) {
    await this.page.screenshot({ path: file, ...(clip && { clip }) });
  }
}

/** Tries until there is no error, and gives up with the last one. */
export async function eventually(attempt, milliseconds = 20_000, between = 250) {
  const end = Date.now() + milliseconds;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(between);
    }
  }
}

/** Waits. */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function until(condition, milliseconds, message) {
  const end = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() > end) throw new Error(message());
    await pause(100);
  }
}

async function run(args, scratch) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment(scratch) });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { output += chunk; });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`code-server ${args.slice(1).join(' ')}:\n${output}`);
}

/** The home folder is a scratch one, so that nothing of the user's is read. */
function environment(scratch) {
  return { ...process.env, HOME: scratch, XDG_CONFIG_HOME: join(scratch, 'config'), XDG_DATA_HOME: join(scratch, 'share') };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
