import { readdirSync, readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { expect, test, vi } from 'vitest';
import { menuTemplate } from '../../electron/desktop/menu.ts';
import {
  COMMANDS,
  type Command,
  commandOf,
  entryOf,
  runCommand,
  tipOf,
} from '../../renderer/shell/commands.ts';
import { commonKeys, keyHelp } from '../../renderer/shell/HelpDialog.tsx';
import { foundIn, paletteEntries } from '../../renderer/shell/Palette.tsx';
import { StartPage } from '../../renderer/shell/StartPage.tsx';
import { INITIAL_STATE, newLogView, type WindowState } from '../../renderer/store/state/window-state.ts';
import { useWindow } from '../../renderer/store/state/window-store.ts';

const run = vi.fn<() => void>();

/** A command that nobody but this test knows: it makes sense where a log is open. */
const MADE: Command = {
  id: 'made',
  title: 'Make tea',
  keys: ['Alt+q', 'F9'],
  isCommon: true,
  when: ({ logs }) => logs.length > 0,
  run,
};
(COMMANDS as Command[]).push(MADE);

const open: WindowState = {
  ...INITIAL_STATE,
  logs: [newLogView('a', undefined, 'a.hpl', '/')],
  active: 'a',
};

test('a command that is added to the list is met in the palette where it makes sense', () => {
  const [entry] = foundIn(paletteEntries(open), 'tea');
  expect(entry).toMatchObject({ text: 'Make tea', hint: 'Alt Q' });
  entry.run();
  expect(run).toHaveBeenCalledTimes(1);
  expect(foundIn(paletteEntries(INITIAL_STATE), 'tea')).toEqual([]);
});

test('it is on the sheet, in a menu and in a tooltip, with its keys', () => {
  const line = [['Alt Q', 'F9'], 'Make tea'];
  expect(commonKeys(false).keys).toContainEqual(line);
  expect(keyHelp(false)[0].keys).toContainEqual(line);
  expect(entryOf('made')).toMatchObject({ text: 'Make tea', hint: 'Alt Q' });
  expect(tipOf('made')).toBe('Make tea (Alt Q)');
});

test('its keys run it where it makes sense', () => {
  run.mockClear();
  const press = { key: 'q', code: 'KeyQ', altKey: true, ctrlKey: false, metaKey: false, shiftKey: false };
  const commands = [press, { ...press, key: 'F9', altKey: false }].map((each) =>
    commandOf(each, false, false),
  );
  expect(commands).toEqual([MADE, MADE]);
  useWindow.setState(INITIAL_STATE);
  runCommand(MADE);
  expect(run).not.toHaveBeenCalled();
  useWindow.setState(open);
  runCommand(MADE);
  expect(run).toHaveBeenCalledTimes(1);
});

test('no two commands have one name or one key, and no bare letter is one', () => {
  for (const of of [COMMANDS.map(({ id }) => id), COMMANDS.map(({ title }) => title), keys()])
    expect(of.filter((each, at) => of.indexOf(each) < at)).toEqual([]);
  expect(keys().filter((key) => /^[a-z]$/i.test(key))).toEqual([]);
});

const keys = (): readonly string[] => COMMANDS.flatMap((command) => command.keys ?? []);

test('about twenty of the keys are on the sheet before anything is searched', () => {
  const { length } = commonKeys(false).keys;
  expect([length >= 15, length <= 25]).toEqual([true, true]);
});

test('the menu of the desktop has commands of the list, with their keys', () => {
  const sent: string[] = [];
  const nothing = (): void => undefined;
  const actions = new Proxy(
    { command: (name: string) => void sent.push(name) },
    {
      get: (target, name): unknown => Reflect.get(target, name) ?? nothing,
    },
  ) as unknown as Parameters<typeof menuTemplate>[1];
  const state = { recent: [], isMac: false, devTools: false, notifies: undefined };
  const items = menuTemplate(state, actions).flatMap(({ submenu }) =>
    Array.isArray(submenu) ? submenu : [],
  );
  const shown = items.flatMap(({ click, accelerator, role }) => {
    sent.length = 0;
    if (role === undefined) (click as (() => void) | undefined)?.();
    return sent.map((id) => [id, accelerator?.toString().replace('CmdOrCtrl', 'Mod').toLowerCase()]);
  });
  expect(shown.length).toBeGreaterThan(15);
  const listed = shown.map(([id, key]) => {
    const command = COMMANDS.find((each) => each.id === id);
    return [command?.id, command?.keys?.map((each) => each.toLowerCase()).find((each) => each === key)];
  });
  expect(listed).toEqual(shown);
});

test('keys that panes name in their tooltips and notices are those of commands or of panes', () => {
  const files = readdirSync('renderer', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(panes|store)\/.*\.tsx?$/.test(path),
  );
  const named = files.flatMap((path) =>
    [
      ...readFileSync(`renderer/${path}`, 'utf8').matchAll(/\((Alt [^)]+|[0-9?])\)['".]|hint: '([^']+)'/g),
    ].flatMap((found) => found.slice(1).filter(Boolean)),
  );
  expect(named.length).toBeGreaterThan(15);
  const known = keyHelp(false).flatMap(({ keys: ofGroup }) => ofGroup.flatMap(([names]) => names));
  const isKey = /^(Alt|Ctrl|Del|Enter|Space|Backspace|[0-9*?])/;
  expect(named.filter((key) => isKey.test(key) && !known.includes(key))).toEqual([]);
});

test('a button that shows a key shows that of its command', () => {
  expect(renderToStaticMarkup(createElement(StartPage))).toContain('<kbd>Ctrl O</kbd>');
});
