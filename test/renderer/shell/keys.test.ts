import { expect, test } from 'vitest';
import { flameKey } from '../../../renderer/panes/flame/flame-walk.ts';
import { chartKey } from '../../../renderer/panes/chart/chart-menu.ts';
import { scopeKey } from '../../../renderer/panes/scope-entries.ts';
import {
  bucketAfterKey,
  cellAfterKey,
  squareAfterKey,
  rangeAfterKey,
} from '../../../renderer/panes/timeline/timeline-keys.ts';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import { timelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { NO_MARKS } from '../../support/no-marks.ts';
import { headerKey, rowsKey, sourceKey } from '../../../renderer/panes/pane-keys.ts';
import { keyHelp } from '../../../renderer/shell/HelpDialog.tsx';
import { tabKey } from '../../../renderer/shell/Tabs.tsx';
import { beginsFind } from '../../../renderer/widgets/key-name.ts';
import { commandOf } from '../../../renderer/shell/commands.ts';

/** `Ctrl+Shift+f` → its command; `text` when the focus is in a text field. */
function press(keys: string, { isMac = false, inText = false } = {}): string {
  const parts = keys.split('+');
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  const key = parts.at(-1)!;
  const event = {
    key,
    code: '',
    ctrlKey: has('Ctrl'),
    metaKey: has('Cmd'),
    altKey: has('Alt'),
    shiftKey: has('Shift'),
  };
  return commandOf(event, isMac, inText)?.id ?? '-';
}

test('keys of the window', () => {
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '/', '0', '?', '[', ']', 'Escape'];
  expect(keys.map((key) => `${key} ${press(key)}`)).toEqual([
    '1 showTree',
    '2 showFlat',
    '3 showFlame',
    '4 showAll',
    '5 showSandwich',
    '6 showSource',
    '7 heatmap',
    '8 chart',
    '/ search',
    '0 resetZoom',
    '? help',
    '[ previousTab',
    '] nextTab',
    'Escape escape',
  ]);
  const withAlt = ['n', 'i', 'z', 'y', 'j', 'Enter'].map((key) => `${key} ${press(`Alt+${key}`)}`);
  expect([...withAlt, `N ${press('Alt+Shift+N')}`]).toEqual([
    'n nextMatch',
    'i flipFlame',
    'z freeze',
    'y theme',
    'j threads',
    'Enter details',
    'N previousMatch',
  ]);
});

test('no bare letter is a command, in the window or in a pane: letters find what is typed', () => {
  const letters = SINGLE.filter((key) => /[a-z_$]/i.test(key));
  const label = 'a.b.C.d';
  const acting = letters.filter(
    (key) =>
      press(key) !== '-' ||
      rowsKey(key, true) !== undefined ||
      rowsKey(key, false) !== undefined ||
      flameKey(key, 'flame') !== undefined ||
      chartKey(key, false) !== undefined ||
      scopeKey(key, { kind: 'frame', label }) !== undefined ||
      sourceKey({ ...bare, key }) !== undefined,
  );
  expect(acting).toEqual([]);
  expect(letters.filter((key) => !beginsFind({ ...bare, key }))).toEqual([]);
  expect(
    ['1', '/', '?', ' ', '*', 'Escape', 'F2', 'Enter'].filter((key) => beginsFind({ ...bare, key })),
  ).toEqual([]);
  expect(beginsFind({ ...bare, key: 'n', altKey: true })).toBe(false);
});

test('a Mac makes other characters of letters with Alt, and its text fields keep them', () => {
  const typed = { key: 'Dead', code: 'KeyN', altKey: true, ctrlKey: false, metaKey: false, shiftKey: false };
  expect(commandOf(typed, true, false)?.id).toBe('nextMatch');
  expect(commandOf(typed, true, true)).toBeUndefined();
  expect(commandOf({ ...typed, key: 'n' }, false, true)?.id).toBe('nextMatch');
});

test('no command is on a key with Alt that a browser has for its menus or its address field', () => {
  const clashing = Array.from('bdefhstv').filter((key) => press(`Alt+${key}`) !== '-');
  expect([clashing, press('Alt+Shift+i'), press('Alt+Shift+t')]).toEqual([[], '-', '-']);
});

test('Control on most systems is Command on a Mac', () => {
  const keys = ['o', 'f', 's', 'w', 'F'];
  expect(keys.map((key) => press(`Ctrl+${key}`))).toEqual([
    'open',
    'search',
    'export-svg',
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

test('Alt with an arrow goes from zoom to zoom, also from a text field but on a Mac', () => {
  const inText = true;
  expect([press('Alt+ArrowLeft'), press('Alt+ArrowRight'), press('Alt+ArrowLeft', { inText })]).toEqual([
    'undo',
    'redo',
    'undo',
  ]);
  expect([press('Alt+ArrowLeft', { isMac: true }), press('Alt+ArrowLeft', { isMac: true, inText })]).toEqual([
    'undo',
    '-',
  ]);
  expect(
    ['Alt+Shift+ArrowLeft', 'Alt+Ctrl+ArrowLeft', 'Alt+ArrowUp', 'Alt+toString'].map((key) => press(key)),
  ).toEqual(['-', '-', '-', '-']);
});

test('names that every object has are no keys', () => {
  expect(['constructor', 'toString', '__proto__'].map((key) => press(key))).toEqual(['-', '-', '-']);
  expect([rowsKey('constructor', true), rowsKey('toString', false)]).toEqual([undefined, undefined]);
});

test('keys of the tree and the flat list', () => {
  expect(
    ['ArrowLeft', 'ArrowRight', '*', 'Alt+ArrowDown', ' ', 'Enter'].map((key) =>
      JSON.stringify(rowsKey(key, true)),
    ),
  ).toEqual([
    '{"type":"move","to":"parentOrCollapse"}',
    '{"type":"move","to":"childOrExpand"}',
    '{"type":"expand","how":"all"}',
    '{"type":"expand","how":"hot"}',
    '{"type":"expand","how":"toggle"}',
    '{"type":"open"}',
  ]);
  expect([rowsKey('End', false), rowsKey('Enter', false), rowsKey('ArrowLeft', false)]).toEqual([
    { type: 'move', to: 'last' },
    { type: 'open' },
    undefined,
  ]);
});

/** What the keyboard calls the keys that the dialog names otherwise. */
const NAMED: Readonly<Record<string, string>> = {
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  PgUp: 'PageUp',
  PgDn: 'PageDown',
  Space: ' ',
  Esc: 'Escape',
  Menu: 'ContextMenu',
  Del: 'Delete',
};

/** How the dialog lists the keys that find a row by its name. */
const LETTERS = 'A to Z';

/** A key of the dialog as it is pressed: `Alt Shift N` is `Alt+Shift+n`, `Ctrl O` is `Ctrl+o`. */
function pressed(shown: string): string {
  const parts = shown.split(' ');
  const last = parts.at(-1)!;
  const shift = parts.includes('Shift');
  if (shown === LETTERS) return shown;
  const isSmall = !shift || parts.includes('Alt');
  const key = NAMED[last] ?? (last.length > 1 ? last : isSmall ? last.toLowerCase() : last);
  const isLetter = key.length === 1 && !parts.includes('Ctrl') && !parts.includes('Alt');
  const before = parts.slice(0, -1).filter((part) => part !== 'Shift' || !isLetter);
  return [...before, key].join('+');
}

const listed = (title: string): string[] => {
  const { keys } = keyHelp(false).find((group) => group.title === title)!;
  return [...new Set(keys.flatMap(([each]) => each.map(pressed)))].sort();
};

const SINGLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
/** As `keyName` has them. */
const withAlt = (keys: readonly string[]): string[] =>
  keys.flatMap((key) => [key, `Alt+${key}`, `Alt+Shift+${key}`]);
const bare = { code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const LONG = [
  'Enter',
  'Escape',
  'Backspace',
  'Delete',
  'Tab',
  'Home',
  'End',
  'ContextMenu',
  'F1',
  'F2',
  'F6',
  'F10',
];
const MOVING = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown'];
const ALL = [...SINGLE, ...LONG, ...MOVING];

test('the dialog lists every key that the window handles, and no other', () => {
  const handled = ALL.flatMap((key) => [
    key,
    ...(key === '+'
      ? []
      : [
          `Alt+${key}`,
          `Alt+Shift+${key}`,
          `Ctrl+${key}`,
          ...(key.length > 1 ? [`Shift+${key}`] : []),
          `Ctrl+Shift+${key}`,
        ]),
  ]).filter((keys) => press(keys) !== '-');
  // A letter with Control is the same key in either case, and Esc with Shift is Esc.
  const told = handled.filter(
    (keys) => !/^(Ctrl\+([A-Z]|Shift\+[a-z])|Alt\+(Shift\+)?[A-Z])$/.test(keys) && keys !== 'Shift+Escape',
  );
  expect(listed('Window')).toEqual([...new Set(told)].sort());
});

test('the dialog lists every key of the panes, and no other', () => {
  // The panes themselves take Shift+F10 for the menu key, Ctrl+C, and the wheel.
  const rows = withAlt(ALL).filter(
    (key) => rowsKey(key, true) !== undefined || rowsKey(key, false) !== undefined,
  );
  expect(listed('Call tree and methods')).toEqual([...rows, LETTERS, 'Ctrl+c', 'Shift+F10'].sort());
  const flame = withAlt(ALL).filter((key) => flameKey(key, 'flame') !== undefined);
  expect(listed('Flame graph')).toEqual([...flame, 'Ctrl+c', 'Ctrl+wheel', 'Shift+F10'].sort());
});

test('the dialog lists every key of the timeline, and no other', () => {
  const table = new SampleTable();
  table.append(0, 0, 0);
  const columns = timelineColumns(table, { zoom: undefined, buckets: 1 }, NO_MARKS)!;
  const range = { from: 0, to: 1 };
  const moved = (key: string, shiftKey: boolean): unknown =>
    rangeAfterKey({ key, shiftKey }, 'from', range, columns);
  const keys = ALL.filter((key) => moved(key, false) !== undefined);
  // Shift is told of two arrows, and works with all keys that move. The pane itself zooms.
  const withShift = ['ArrowLeft', 'ArrowRight'].filter((key) => moved(key, true) !== undefined);
  expect(listed('Samples over time: an end of the range')).toEqual(
    [...keys, ...withShift.map((key) => `Shift+${key}`), '+', '-', 'Ctrl+drag'].sort(),
  );
});

test('the dialog lists every key of measured values, and no other', () => {
  const keys = ALL.filter((key) => bucketAfterKey(key, 5, 10) !== undefined);
  expect(listed('Samples over time: measured values')).toEqual(keys.sort());
});

test('the dialog lists every key of the heatmap and of durations, and no other', () => {
  // Shift is told of the arrows, and works with all keys that move.
  const withShift = MOVING.filter((key) => key.startsWith('Arrow')).map((key) => `Shift+${key}`);
  const keysWith = (after: (key: string) => number | undefined): string[] => [
    ...ALL.filter((key) => after(key) !== undefined),
    ...['Enter', ' ', 'Escape'],
    ...withShift,
  ];
  const inHeatmap = keysWith((key) => squareAfterKey(key, 0, 50, 1_000));
  expect(listed('Heatmap')).toEqual([...inHeatmap, 'Ctrl+drag'].sort());
  expect(listed('Durations of requests')).toEqual(keysWith((key) => cellAfterKey(key, 0, 18, 20)).sort());
});

test('the dialog lists every key of the chart that a flame graph has not, or not so', () => {
  const others = withAlt(ALL).filter(
    (key) => chartKey(key, false) !== undefined && flameKey(key, 'icicle') === undefined,
  );
  const withShift = ['ArrowLeft', 'ArrowRight'].filter((key) => chartKey(key, true)?.type === 'pan');
  expect(listed('Chart: as in a flame graph, and')).toEqual(
    [...others, ...withShift.map((key) => `Shift+${key}`), ' ', 'Backspace'].sort(),
  );
});

test('the dialog lists every key of tabs, and no other', () => {
  expect(listed('Tabs of logs')).toEqual(ALL.filter((key) => tabKey(key) !== undefined).sort());
});

test('the dialog lists every key of column titles, and no other', () => {
  const modifiers = [0, 1, 2, 3].map((bits) => ({ shiftKey: (bits & 1) > 0, ctrlKey: (bits & 2) > 0 }));
  const keys = ALL.flatMap((key) =>
    modifiers.flatMap((held) =>
      headerKey({ key, ...held, metaKey: false, altKey: false }) === undefined
        ? []
        : [[...(held.ctrlKey ? ['Ctrl'] : []), ...(held.shiftKey ? ['Shift'] : []), key].join('+')],
    ),
  );
  // These are the same with Shift or Control.
  const same = /^(Ctrl\+)?(Shift\+)?(Home|End|ContextMenu)$|^Ctrl\+Shift\+F10$/;
  const told = keys.filter((key) => !key.includes('+') || !same.test(key));
  expect(listed('Column titles')).toEqual(told.sort());
});

test('no key is listed twice for the same place', () => {
  const twice = keyHelp(false).flatMap(({ title }) => {
    const everywhere = title === 'Window' ? [] : listed('Window');
    const { keys } = keyHelp(false).find((group) => group.title === title)!;
    const shown = keys.flatMap(([each, what]) => each.map((key) => ({ key: pressed(key), what })));
    return shown.filter(
      ({ key, what }, at) =>
        shown.findIndex((other) => other.key === key) < at ||
        (everywhere.includes(key) && helpOfWindow(key) === what),
    );
  });
  expect(twice).toEqual([]);
});

const helpOfWindow = (key: string): string | undefined =>
  keyHelp(false)[0].keys.find(([keys]) => keys.some((each) => pressed(each) === key))?.[1];

test('on a Mac the dialog names its Command key', () => {
  expect(keyHelp(true)[0].keys[0][0]).toEqual(['⌘K']);
});

test('the dialog lists every key that changes the scope, and no other', () => {
  const keys = withAlt(ALL).filter((key) => scopeKey(key, { kind: 'frame', label: 'a.b.C.d' }) !== undefined);
  expect(listed('Transforms of the selected method or frame')).toEqual(keys.sort());
  const ofThread = withAlt(ALL).filter(
    (key) => scopeKey(key, { kind: 'thread', label: 'main' }) !== undefined,
  );
  expect(ofThread.sort()).toEqual(['Alt+Shift+o', 'Alt+Shift+r', 'Alt+Shift+s', 'Alt+r']);
});
