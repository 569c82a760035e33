import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hardenPage } from '../../src/graphPage';

// The page itself, as the server fills it.
const page = readFileSync(join(__dirname, '../../../../analysis/graph/assets/page.html'), 'utf8');

test('everything that runs in the page carries the nonce', () => {
  const html = hardenPage(page, 'abc123');
  for (const tag of html.match(/<(script|style)\b[^>]*>/g)!) assert.match(tag, /nonce="abc123"/);
  assert.equal(html.match(/<script\b/g)!.length, page.match(/<script\b/g)!.length + 1);
});

test('nothing is allowed without the nonce, and nothing is loaded', () => {
  const policies = hardenPage(page, 'abc123').match(/<meta http-equiv="Content-Security-Policy"[^>]*>/g)!;
  assert.equal(policies.length, 1);
  assert.match(policies[0]!, /default-src 'none'/);
  assert.doesNotMatch(policies[0]!, /unsafe|https?:|\*/);
});

test('the bridge comes before the scripts that use it', () => {
  const html = hardenPage(page, 'abc123');
  assert.ok(html.indexOf('acquireVsCodeApi') < html.indexOf('id="data"'));
});

test('a page without a policy is refused rather than shown', () => {
  assert.throws(() => hardenPage('<html><body><script>1</script></body></html>', 'abc123'));
});

test('a $ in the page or the nonce is no pattern', () => {
  const html = hardenPage(page.replace('/*DATA*/', () => '{"label":"$& $1 $(VAR)"}'), '$&');
  assert.match(html, /"\$& \$1 \$\(VAR\)"/);
  assert.match(html, /nonce="\$&"/);
});
