import { expect, test } from 'vitest';
import { suggestedFileName } from '../../../electron/desktop/file-name.ts';

test.each([
  ['server.hpl.svg', 'server.hpl.svg'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\Windows\\x.svg', 'C__Windows_x.svg'],
  ['a<b>|c?*".svg', 'a_b__c___.svg'],
  ['con', '_con'],
  ['NUL.txt', '_NUL.txt'],
  ['console.txt', 'console.txt'],
  ['com1.svg', '_com1.svg'],
  ['line\nbreak\u0000.svg', 'line_break_.svg'],
  ['exe\u202Egvs.svg', 'exe_gvs.svg'],
  ['half \uD800.svg', 'half _.svg'],
  ['trailing. . ', 'trailing'],
  ['  .svg', 'svg'],
  ['…', '…'],
  ['', 'export'],
  ['...', 'export'],
  ['日本語 🔥.svg', '日本語 🔥.svg'],
])('X05: %j is suggested as %j', (name, expected) => {
  expect(suggestedFileName(name)).toBe(expected);
});

test('X05: a long name is cut between characters and keeps its ending', () => {
  const name = suggestedFileName(`${'🔥'.repeat(100)}.svg`);
  expect(name).toBe(`${'🔥'.repeat(49)}.svg`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
});
