import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explanationPage, fileLink } from '../../src/explainPage';

test('links lead to files and their lines, and nowhere else', () => {
  assert.deepEqual(fileLink('file:///w/gr%C3%B6%C3%9Fer.yaml#L7'), { uri: 'file:///w/gr%C3%B6%C3%9Fer.yaml', line: 7 });
  assert.deepEqual(fileLink('file:///w/a.yaml#L7,3'), { uri: 'file:///w/a.yaml', line: 7 });
  assert.deepEqual(fileLink('file:///w/a.yaml'), { uri: 'file:///w/a.yaml', line: 0 });
  for (const href of ['command:workbench.action.terminal.new', 'https://example.com', 'javascript:alert(1)', 'file://server/share/a.yaml', 'a.yaml']) {
    assert.equal(fileLink(href), undefined, href);
  }
});

test('what a resource says is text', () => {
  const page = explanationPage('value `<img src=x>` <script>alert(1)</script> [x](javascript:alert(1)) [web.yaml:3](file:///w/web.yaml#L3)', 'abc');
  assert.doesNotMatch(page, /<img|<script>alert|href="javascript/);
  assert.match(page, /<a href="file:\/\/\/w\/web\.yaml#L3">web\.yaml:3<\/a>/);
  for (const tag of page.match(/<(script|style)\b[^>]*>/g)!) assert.match(tag, /nonce="abc"/);
});
