import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf, nameOf, reasonOf, statusOf, summaryOf, type RootVerdict } from '../../src/verdicts';

const root = (name: string, verdict: RootVerdict['verdict'], errors = 0, warnings = 0): RootVerdict =>
  ({ root: `file:///w/overlays/${name}`, verdict, errors, warnings });

test('a file that no root uses has no status', () => {
  assert.equal(statusOf([]), undefined);
});

test('one root is named', () => {
  assert.deepEqual(statusOf([root('prod', 'builds')]), { text: '$(check) overlays/prod builds', severity: 'none' });
  assert.deepEqual(statusOf([root('prod', 'builds', 0, 2)]), { text: '$(check) overlays/prod builds $(warning) 2', severity: 'warning' });
  assert.deepEqual(statusOf([root('prod', 'unknown')]), { text: '$(question) overlays/prod is unknown', severity: 'none' });
});

test('of several the worst are counted', () => {
  assert.deepEqual(statusOf([root('prod', 'fails', 3), root('staging', 'builds'), root('test', 'unknown')]),
    { text: '$(error) 1 of 3 roots fails', severity: 'error' });
  assert.equal(statusOf([root('a', 'builds'), root('b', 'builds')])?.text, '$(check) 2 roots build');
  assert.equal(statusOf([root('a', 'fails'), root('b', 'fails'), root('c', 'builds')])?.text, '$(error) 2 of 3 roots fail');
});

test('a line tells the numbers that are not zero', () => {
  assert.equal(lineOf(root('prod', 'fails', 2, 1)), 'fails, 2 errors, 1 warning');
  assert.equal(lineOf(root('prod', 'builds')), 'builds');
});

test('a root that fails says why and where', () => {
  const location = { uri: 'file:///w/gr%C3%B6%C3%9Fe/base/kustomization.yaml', range: { start: { line: 11, character: 2 }, end: { line: 11, character: 9 } } };
  assert.equal(reasonOf({ ...root('prod', 'fails', 1), reason: { message: 'a.yaml does not exist', location } }), 'a.yaml does not exist (base/kustomization.yaml:12)');
  assert.equal(reasonOf(root('prod', 'builds')), '');
});

test('a workspace is summed up', () => {
  assert.equal(summaryOf([]), 'There is no kustomization in this workspace.');
  assert.equal(summaryOf([root('a', 'builds', 0, 1), root('b', 'fails', 2), root('c', 'builds')]), '3 kustomizations: 2 built, 1 failed; 2 errors, 1 warning');
});

test('a root is named by its last two folders', () => {
  assert.equal(nameOf('file:///w/shop/overlays/gr%C3%B6%C3%9Fer'), 'overlays/größer');
  assert.equal(nameOf('file:///w/overlays/prod/kustomization.yaml'), 'overlays/prod');
  assert.equal(nameOf('file:///base'), 'base');
});
