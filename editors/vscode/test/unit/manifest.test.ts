// Holds package.json against the sources: what is declared has to be there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { initializationOptions, serverSettings } from '../../src/settings';

const root = join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const contributed = manifest.contributes;
const settings: Record<string, { markdownDescription?: string; default?: unknown; scope?: string }> = contributed.configuration.properties;

test('each command is registered, and each registered one declared', () => {
  const source = readFileSync(join(root, 'src/extension.ts'), 'utf8');
  const registered = [...source.matchAll(/register\('([^']+)'/g)].map((match) => match[1]).sort();
  assert.deepEqual(registered, contributed.commands.map((command: { command: string }) => command.command).sort());
});

test('menus, keys and walkthroughs name commands that there are', () => {
  const known = new Set([...contributed.commands.map((command: { command: string }) => command.command), 'editor.action.quickFix']);
  const named: string[] = [];
  for (const items of Object.values<{ command?: string }[]>(contributed.menus)) named.push(...items.flatMap((item) => item.command ?? []));
  named.push(...contributed.keybindings.map((key: { command: string }) => key.command));
  for (const step of contributed.walkthroughs[0].steps) named.push(...[...step.description.matchAll(/command:([\w.]+)/g)].map((match: RegExpMatchArray) => match[1]!));
  for (const name of named) assert.ok(known.has(name), name);
});

test('each setting of the server is declared and described', () => {
  for (const name of serverSettings) assert.ok(settings[`kls.${name}`]?.markdownDescription, name);
});

test('it starts for kustomizations only', () => {
  for (const event of manifest.activationEvents) assert.match(event, /^workspaceContains:\*\*\/[kK]ustomization/);
});

test('what names a program or lifts a restriction is not taken from a workspace that is not trusted', () => {
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  const programs = Object.keys(settings).filter((name) => /path|command|program|args|env/i.test(name));
  const server = readFileSync(join(root, '../../lsp/settings.go'), 'utf8');
  const lifting = [...server.matchAll(/json:"(\w+)" trust:"lifts"/g)].map((match) => `kls.${match[1]}`);
  assert.ok(lifting.includes('kls.loadRestrictor'));
  assert.deepEqual([...programs, ...lifting].sort(), [...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort());
});

test('what is not set is not sent, so that the default of the server counts', () => {
  const section = { kustomizeVersion: '', debounce: null, codeLens: false, rules: {}, path: '/opt/kls', trace: { server: 'off' } };
  assert.deepEqual(initializationOptions(section, true),
    { settings: { rules: {}, codeLens: false, trace: 'off' }, yamlLanguageServer: true, commandLinks: true, changes: true, verdicts: true });
  assert.deepEqual(initializationOptions(undefined, false).settings, {});
});
