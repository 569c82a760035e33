// The audit fails on what is high, whatever the log level, and tells where the registry does not answer.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** Runs the audit against a registry that answers as given: advisories by package, or no audit at all. */
async function audit(advisories: Record<string, object[]> | undefined) {
  const registry = createServer((request, response) => {
    request.resume();
    const answer = request.method === 'POST' ? advisories : { name: decodeURIComponent(request.url!.slice(1)), 'dist-tags': {}, versions: {} };
    response.writeHead(advisories ? 200 : 405, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  // npm keeps what it learns of advisories in its cache.
  const cache = mkdtempSync(join(tmpdir(), 'kls-audit-'));
  const env = { ...process.env, npm_config_cache: cache, npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/` };
  try {
    return await new Promise<{ code: number; output: string }>((resolve) => {
      const child = execFile(process.execPath, ['test/audit.mjs'], { env }, (_, stdout, stderr) => resolve({ code: child.exitCode!, output: stdout + stderr }));
    });
  } finally {
    registry.closeAllConnections();
    registry.close();
    rmSync(cache, { recursive: true });
  }
}

const advisory = (severity: string) => ({ semver: [{ id: 1, title: 'Bad thing', url: 'https://example.com/1', severity, vulnerable_versions: '*' }] });

test('audit: a high finding fails and is named', async () => {
  const { code, output } = await audit(advisory('high'));
  assert.equal(code, 1, output);
  assert.match(output, /high: semver\n {4}Bad thing https:\/\/example\.com\/1/);
  assert.match(output, /^FAIL vscode: npm audit finds [1-9]/m);
});

test('audit: a moderate finding does not fail', async () => {
  const { code, output } = await audit(advisory('moderate'));
  assert.equal(code, 0, output);
  assert.match(output, /^ok vscode: npm audit finds nothing high in \d+ packages/m);
});

test('audit: a registry without audits is told', async () => {
  const { code, output } = await audit(undefined);
  assert.equal(code, 0, output);
  assert.match(output, /^-- vscode: npm audit is not answered by this registry/m);
});
