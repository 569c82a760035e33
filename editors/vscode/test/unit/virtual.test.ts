import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeVirtual, isPreview, needsGit, parameter } from '../../src/virtual';

const uri = (path: string, query = '', scheme = 'kls') => ({ scheme, path, query });

test('what stands between the parts of a query is not encoded, what is in them is', () => {
  assert.equal(encodeVirtual(uri('/w/prod/preview.yaml')), 'kls:/w/prod/preview.yaml');
  assert.equal(encodeVirtual(uri('/w/größer 1/preview.yaml', 'against=base')), 'kls:/w/gr%C3%B6%C3%9Fer%201/preview.yaml?against=base');
  assert.equal(encodeVirtual(uri('/w/preview.diff', 'against=head&resource=Role.rbac/shop/a:b=c')),
    'kls:/w/preview.diff?against=head&resource=Role.rbac/shop/a%3Ab%3Dc');
  assert.equal(encodeVirtual(uri('/C:/w/a?b#c/preview.yaml')), 'kls:/C:/w/a%3Fb%23c/preview.yaml');
});

test('parameters are found by their whole name', () => {
  assert.equal(parameter(uri('', 'resource=Service/web&against=base'), 'against'), 'base');
  assert.equal(parameter(uri('', 'notagainst=base'), 'against'), undefined);
});

test('only a comparison with HEAD needs git', () => {
  assert.ok(needsGit(uri('/w/preview.yaml', 'against=head')));
  assert.ok(needsGit(uri('/w/preview.diff', 'resource=Service/web&against=head')));
  assert.ok(!needsGit(uri('/w/preview.yaml', 'against=base')));
  assert.ok(!needsGit(uri('/w/preview.yaml', 'resource=ConfigMap/against=head')));
  assert.ok(!needsGit(uri('/w/x.yaml', 'against=head', 'file')));
});

test('lines have sources in the rendered text of now only', () => {
  assert.ok(isPreview(uri('/w/preview.yaml', 'resource=Service/web')));
  assert.ok(!isPreview(uri('/w/preview.yaml', 'against=base')));
  assert.ok(!isPreview(uri('/w/preview.diff')));
});
