import { expect, test } from 'vitest';
import { rowsKey } from '../../../../renderer/panes/rows/rows-keys.ts';
import { keyHelp } from '../../../../renderer/shell/key-help.ts';
import { commandOf } from '../../../../renderer/shell/keys.ts';

/** `Ctrl+Shift+f` → its command; `text` when the focus is in a text field. */
function press(keys: string, { isMac = false, inText = false } = {}): string {
  const parts = keys.split('+');
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  const key = parts.at(-1)!;
  const event = {
    key,
    ctrlKey: has('Ctrl'),
    metaKey: has('Cmd'),
    altKey: has('Alt'),
    shiftKey: has('Shift'),
  };
  return commandOf(event, isMac, inText) ?? '-';
}

test('keys of the window', () => {
  const keys = ['1', '2', '3', '4', '/', 'n', 'N', 'i', '0', 'f', 't', '?', '[', ']', 'Escape'];
  expect(keys.map((key) => `${key} ${press(key)}`)).toEqual([
    '1 showTree',
    '2 showFlat',
    '3 showFlame',
    '4 showAll',
    '/ search',
    'n nextMatch',
    'N previousMatch',
    'i turnFlame',
    '0 resetZoom',
    'f freeze',
    't theme',
    '? help',
    '[ previousTab',
    '] nextTab',
    'Escape escape',
  ]);
});

test('Control on most systems is Command on a Mac', () => {
  const keys = ['o', 'f', 's', 'w', 'F'];
  expect(keys.map((key) => press(`Ctrl+${key}`))).toEqual([
    'open',
    'search',
    'exportSvg',
    'closeTab',
    'search',
  ]);
  expect(keys.map((key) => press(`Cmd+${key}`, { isMac: true }))).toEqual(
    keys.map((key) => press(`Ctrl+${key}`)),
  );
  expect([press('Cmd+o'), press('Ctrl+o', { isMac: true }), press('Ctrl+Shift+s'), press('Alt+f')]).toEqual([
    '-',
    '-',
    '-',
    '-',
  ]);
  expect([press('Ctrl+Tab'), press('Ctrl+Shift+Tab', { isMac: true })]).toEqual(['nextTab', 'previousTab']);
});

test('while text is typed only keys with Control and Esc are commands', () => {
  const inText = true;
  expect(['f', '1', '/', '?', 'n'].map((key) => press(key, { inText }))).toEqual(['-', '-', '-', '-', '-']);
  expect([press('Ctrl+f', { inText }), press('Escape', { inText })]).toEqual(['search', 'escape']);
});

test('F6 walks the panes, also from a text field', () => {
  expect([press('F6'), press('Shift+F6'), press('F6', { inText: true }), press('Ctrl+F6')]).toEqual([
    'nextPane',
    'previousPane',
    'nextPane',
    '-',
  ]);
});

test('names that every object has are no keys', () => {
  expect(['constructor', 'toString', '__proto__'].map((key) => press(key))).toEqual(['-', '-', '-']);
  expect([rowsKey('constructor', true), rowsKey('toString', false)]).toEqual([undefined, undefined]);
});

test('keys of the tree and the flat list', () => {
  expect(
    ['ArrowLeft', 'ArrowRight', '*', 'h', 'Enter'].map((key) => JSON.stringify(rowsKey(key, true))),
  ).toEqual([
    '{"type":"move","to":"parentOrCollapse"}',
    '{"type":"move","to":"childOrExpand"}',
    '{"type":"expand","how":"all"}',
    '{"type":"expand","how":"hot"}',
    '{"type":"expand","how":"toggle"}',
  ]);
  expect([rowsKey('End', false), rowsKey('Enter', false), rowsKey('ArrowLeft', false)]).toEqual([
    { type: 'move', to: 'last' },
    { type: 'open' },
    undefined,
  ]);
});

test('every plain key that the help lists does something', () => {
  const [everywhere] = keyHelp(false);
  const plain = everywhere.keys.flatMap(([keys]) => keys.split('  ')).filter((key) => key.length === 1);
  expect(plain.length).toBeGreaterThan(8);
  for (const key of plain) expect(press(key.toLowerCase()), key).not.toBe('-');
  expect(keyHelp(true)[0].keys[0][0]).toBe('⌘O');
});
