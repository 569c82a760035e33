import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findServer, type Machine } from '../../src/binary';

function machine(platform: NodeJS.Platform, searchPath: string, ...programs: string[]): Machine {
  return { platform, home: platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada', searchPath, isProgram: (file) => programs.includes(file) };
}
const places = { configured: '', extension: '/ext' };

test('the program that came with the extension comes before the one in PATH', () => {
  assert.deepEqual(findServer(places, machine('linux', '/usr/bin', '/ext/bin/kls', '/usr/bin/kls')), { file: '/ext/bin/kls', bundled: true });
});

test('without it PATH is searched in order, then the folder of go install', () => {
  assert.deepEqual(findServer(places, machine('linux', '/a:/b', '/b/kls', '/home/ada/go/bin/kls')), { file: '/b/kls', bundled: false });
  assert.deepEqual(findServer(places, machine('linux', '/a:/b', '/home/ada/go/bin/kls')), { file: '/home/ada/go/bin/kls', bundled: false });
});

test('relative folders in PATH are left out: they would be those of the workspace', () => {
  assert.ok('missing' in findServer(places, machine('linux', '.::bin:./node_modules/.bin', 'kls', './kls', 'bin/kls', 'node_modules/.bin/kls')));
});

test('Windows has another name, separator and home', () => {
  const windows = { configured: '', extension: 'C:\\ext' };
  assert.deepEqual(findServer(windows, machine('win32', 'C:\\a;.;D:\\tools', 'D:\\tools\\kls.exe', 'kls.exe')), { file: 'D:\\tools\\kls.exe', bundled: false });
  assert.deepEqual(findServer(windows, machine('win32', '', 'C:\\Users\\ada\\go\\bin\\kls.exe')), { file: 'C:\\Users\\ada\\go\\bin\\kls.exe', bundled: false });
});

test('a configured program is taken or nothing is: another one would surprise', () => {
  const all = ['/ext/bin/kls', '/opt/kls', '/home/ada/bin/kls'];
  assert.deepEqual(findServer({ ...places, configured: '/opt/kls' }, machine('linux', '', ...all)), { file: '/opt/kls', bundled: false });
  assert.deepEqual(findServer({ ...places, configured: '~/bin/kls' }, machine('linux', '', ...all)), { file: '/home/ada/bin/kls', bundled: false });
  assert.deepEqual(findServer({ ...places, configured: '/opt/other' }, machine('linux', '', ...all)), { missing: 'kls.path names no program: /opt/other' });
  assert.deepEqual(findServer({ ...places, configured: 'tools/kls' }, machine('linux', '', ...all, 'tools/kls')), { missing: 'kls.path has to be an absolute path: tools/kls' });
});
