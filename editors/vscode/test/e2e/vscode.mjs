// A VS Code in a browser: code-server with our extension in it, and Chromium before it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** How long a test waits for a state that has to come, in milliseconds: long, since other programs may keep the machine busy. */
const patience = 90_000;

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
    const env = { ...environment(options.scratch), ...(options.path && { PATH: options.path }), ...(options.shell && { SHELL: options.shell }) };
    try {
      const port = await window.serve([entry, ...shared, '--auth', 'none', '--disable-telemetry', '--disable-update-check',
        '--disable-getting-started-override', ...(options.trusted === false ? [] : ['--disable-workspace-trust'])], env);
      window.browser = await chromium.launch({ timeout: patience, executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu',
        '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
      const context = await window.browser.newContext({ viewport: options.size ?? { width: 1400, height: 860 }, deviceScaleFactor: options.scale ?? 1, colorScheme: 'dark', locale: 'en-US' });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: `http://127.0.0.1:${port}` });
      context.setDefaultTimeout(patience);
      window.page = await context.newPage();
      await window.page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(options.folder)}`);
      await window.page.locator('.monaco-workbench .part.statusbar').waitFor();
      await window.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    } catch (error) {
      await window.close();
      throw error;
    }
    return window;
  }

  /** Starts code-server at a free port, again where it ends: it gives its own parts ten seconds to start, which a busy machine does not. */
  async serve(args, env) {
    return eventually(async () => {
      const port = await freePort();
      this.process = spawn(process.execPath, [...args, '--bind-addr', `127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'pipe'], env });
      let output = '';
      for (const stream of [this.process.stdout, this.process.stderr]) stream.on('data', (chunk) => { output += chunk; });
      const end = Date.now() + patience;
      while (!/HTTP server listening/.test(output)) {
        if (this.process.exitCode !== null || Date.now() > end) {
          this.process.kill('SIGKILL');
          throw new Error(`code-server did not start:\n${output}`);
        }
        await pause(100);
      }
      return port;
    });
  }

  /** Ends the browser and the server. */
  async close() {
    await this.browser?.close();
    if (this.process?.exitCode === null) {
      this.process.kill('SIGTERM');
      await Promise.race([once(this.process, 'exit'), pause(5000)]);
      if (this.process.exitCode === null) this.process.kill('SIGKILL');
    }
  }

  /** Opens a file of the folder, with the cursor at a 1-based line and column. */
  async openFile(path, line = 1, column = 1) {
    const parts = path.split('/');
    const name = parts.pop();
    await this.pick('Control+P', `${path}:${line}:${column}`, name, parts.join('/'));
    await this.page.locator('.editor-group-container.active .tab.active', { hasText: name }).waitFor();
    await this.page.locator('.part.statusbar', { hasText: new RegExp(`Ln ${line}, Col ${column}\\b`) }).waitFor();
  }

  /** Runs a command by its title. */
  async command(title) {
    await this.pick('F1', `>${title}`, title);
  }

  /** Runs a command by its title, and picks from the list that it opens. */
  async commandAndChoice(title, label) {
    await eventually(async (wait) => {
      await this.command(title);
      await this.take(wait, label, label);
    });
    await this.quickInput.waitFor({ state: 'hidden' });
  }

  /** Moves the cursor of the active editor. */
  async goTo(line, column) {
    await this.pick('Control+G', `:${line}:${column}`);
    await this.page.locator('.part.statusbar', { hasText: new RegExp(`Ln ${line}, Col ${column}\\b`) }).waitFor();
  }

  get quickInput() {
    return this.page.locator('.quick-input-widget:not([style*="display: none"]) input[type="text"]');
  }

  /** Opens the list that a key opens, types, and takes what has the focus once it has the labels. */
  async pick(key, text, ...labels) {
    // An editor that opens late takes the focus, and the list closes: then all is done again.
    await eventually(async (wait) => {
      if (!(await this.quickInput.isVisible())) await this.page.keyboard.press(key);
      await this.take(wait, text, ...labels);
    });
    // A command may go on with another list.
    await eventually(async () => {
      if (await this.quickInput.isVisible() && (await this.quickInput.inputValue()) === text) throw new Error(`${text} was not taken`);
    });
  }

  /** Types into the list that is open and takes what has the focus once it has the labels: the list follows the text with a delay. */
  async take(wait, text, ...labels) {
    try {
      await this.quickInput.fill(text, { timeout: wait });
      let focused = this.page.locator('.quick-input-widget .monaco-list-row.focused');
      for (const label of labels) focused = focused.filter({ hasText: label });
      await focused.first().waitFor({ timeout: wait });
      await this.quickInput.press('Enter', { timeout: wait });
    } catch (error) {
      await this.page.keyboard.press('Escape');
      throw error;
    }
  }

  /** The titles of the commands that are offered for a text, once one of them is the one that has to be. */
  async commandsFor(text, expected) {
    const rows = this.page.locator('.quick-input-widget .monaco-list-row');
    const titles = await eventually(async (wait) => {
      if (!(await this.quickInput.isVisible())) await this.page.keyboard.press('F1');
      await this.quickInput.fill(`>${text}`, { timeout: wait });
      await rows.filter({ hasText: expected }).first().waitFor({ timeout: wait });
      return rows.allInnerTexts();
    });
    await this.page.keyboard.press('Escape');
    return titles;
  }

  /** The text of the hover at the cursor, once it matches. */
  async hover(expected) {
    const content = this.page.locator('.monaco-hover:not(.hidden) .monaco-hover-content:visible');
    return eventually(async (wait) => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+K');
      await this.page.keyboard.press('Control+I');
      return eventually(async () => {
        const text = (await content.allInnerTexts()).join('\n');
        if (!expected.test(text)) throw new Error(`the hover says: ${text}`);
        return text;
      }, wait, 50);
    });
  }

  /** The labels that completion offers at the cursor, once one matches. */
  async complete(expected) {
    const rows = this.page.locator('.suggest-widget.visible .monaco-list-row .label-name');
    return eventually(async (wait) => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+Space');
      return eventually(async () => {
        const labels = await rows.allInnerTexts();
        if (!labels.some((label) => expected.test(label))) throw new Error(`offered: ${labels.join(', ')}`);
        return labels;
      }, wait, 50);
    });
  }

  /** Goes to the definition of what is at the cursor, which is in a file of a name that matches. */
  async goToDefinition(expected) {
    await eventually(async (wait) => {
      await this.page.keyboard.press('F12');
      await eventually(async () => {
        const tab = await this.activeTab();
        if (!expected.test(tab)) throw new Error(`${tab} is open`);
      }, wait, 50);
    });
  }

  /** Gives a file that is selected in the explorer another name. */
  async renameSelected(name, to) {
    const row = this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
    const input = this.page.locator('.explorer-folders-view input');
    // The explorer takes the key only once it has the keyboard, and closes the input where the tree changes.
    await eventually(async (wait) => {
      if (!(await input.isVisible())) {
        await row.click({ timeout: wait });
        await this.page.keyboard.press('F2');
      }
      await input.fill(to, { timeout: wait });
      await input.press('Enter', { timeout: wait });
    });
  }

  /** Saves what is changed, once something is. */
  async saveAll() {
    await this.page.locator('.tabs-container .tab.dirty').first().waitFor();
    await this.command('File: Save All');
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
    let before;
    await eventually(async () => {
      const text = await this.text(group);
      if (expected.test(text)) return;
      await editor.hover();
      // From the top again where the end is reached, or nothing was drawn since.
      await this.page.mouse.wheel(0, text === before ? -100_000 : 300);
      before = text;
      throw new Error(`no line matches ${expected}:\n${text}`);
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

/** Tries until there is no error, and gives up with the last one. An attempt is told how long it may wait: longer each time. */
export async function eventually(attempt, milliseconds = patience, between = 250) {
  const end = Date.now() + milliseconds;
  for (let wait = 2000; ; wait = Math.min(2 * wait, 16_000)) {
    try {
      return await attempt(wait);
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
