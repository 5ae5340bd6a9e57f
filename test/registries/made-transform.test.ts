import { SCOPE_HELP } from '../../electron/cli/mcp/session.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { scopeEntries, scopeKey } from '../../renderer/panes/scope-entries.ts';
import { useScopeParts } from '../../renderer/shell/use-scope-parts.ts';
import { fragmentOf, readFragment } from '../../renderer/store/links/scope-address.ts';
import { INITIAL_STATE, newLogView } from '../../renderer/store/state/window-state.ts';
import { useWindow } from '../../renderer/store/state/window-store.ts';
import type { Transform } from '../../shared/scope/scope.ts';
import type { TransformKind } from '../../shared/scope/transform-list.ts';
import { assistant } from '../support/assistant.ts';
import { goldenPath } from '../support/read-log.ts';
import { menuItem } from '../support/menu-entries.ts';
import { runCli } from '../support/run-cli.ts';

interface Made {
  readonly kind: 'without-end';
  readonly ends: readonly string[];
}

/** A transform that nobody but this test knows: frames vanish whose names end with one of some texts. */
vi.mock('../../shared/scope/transform-list.ts', async (original) => {
  const list = await original<typeof import('../../shared/scope/transform-list.ts')>();
  const { merged } = await import('../../shared/scope/stack-steps.ts');
  const made = {
    kind: 'without-end',
    keys: 'names',
    part: 'further',
    text: ({ ends }: Made) => `no ends ${ends.join(' or ')}`,
    help: () => 'Frames with these ends are left out',
    option: { value: 'END', help: 'leave out frames that end with END' },
    values: ({ ends }: Made) => ends,
    read: (end: string) => ({ kind: 'without-end', ends: [end] }),
    more: {
      field: 'or-end',
      add: (transform: Made, end: string) => ({ ...transform, ends: [...transform.ends, end] }),
    },
    menu: (label: string | undefined) =>
      label === undefined
        ? []
        : [{ text: 'Without its end', key: 'Alt+q', transform: { kind: 'without-end', ends: [label] } }],
    dialog: {
      title: 'Ends',
      help: 'One on each line',
      label: 'Ends of names',
      problem: 'Enter one.',
      texts: ({ ends }: Made) => ends,
      withTexts: (transform: Made, ends: readonly string[]) => ({ ...transform, ends }),
    },
    step: (context: Parameters<typeof merged>[0], { ends }: Made) =>
      merged(context, 'fqmn', (key) => ends.some((end) => key.endsWith(end))),
  };
  return { ...list, TRANSFORMS: [...list.TRANSFORMS, made as unknown as TransformKind] };
});

const MADE = { kind: 'without-end', ends: ['Shop.run', 'x'] } as unknown as Transform;

test('a transform that is added to the list is one of the menu and the keys', () => {
  useWindow.setState({ ...INITIAL_STATE, logs: [newLogView('a', undefined, 'a.hpl', '/')], active: 'a' });
  const transforms = (): unknown => useWindow.getState().logs[0].scope.transforms;
  const row = { kind: 'frame', label: 'Shop.run' } as const;
  menuItem(scopeEntries(row), 'Without its end').run();
  const added = { kind: 'without-end', ends: ['Shop.run'] };
  expect(transforms()).toEqual([added]);
  scopeKey('Alt+q', row)?.();
  expect(transforms()).toEqual([added, added]);
  expect(scopeKey('Alt+q', { kind: 'all', label: '' })).toBeUndefined();
});

test('it has a chip that opens its dialog', () => {
  const log = newLogView('a', undefined, 'a.hpl', '/');
  const scoped = { ...log, scope: { ...log.scope, transforms: [MADE] } };
  useWindow.setState({ ...INITIAL_STATE, logs: [scoped], active: 'a' });
  let chips: ReturnType<typeof useScopeParts> = [];
  const Chips = (): ReactNode => {
    chips = useScopeParts(scoped);
    return null;
  };
  renderToStaticMarkup(createElement(Chips));
  expect(chips).toMatchObject([
    { text: 'no ends Shop.run or x', help: 'Frames with these ends are left out' },
  ]);
  chips[0].onOpen?.();
  expect(useWindow.getState().dialog).toEqual({ kind: 'step', log: 'a', transform: MADE, at: 0 });
});

test('it is in a link', () => {
  const scope = { threads: [], transforms: [MADE] };
  const log = { name: 'a.hpl', scope, where: [], split: [], zoom: undefined };
  const fragment = fragmentOf({ frames: 'fqmn', threads: undefined, logs: [log] });
  expect(fragment).toBe('#log=a.hpl&without-end=Shop.run&or-end=x');
  expect(readFragment(fragment).logs[0].scope.transforms).toEqual([MADE]);
});

test('it is an option of the command line', async () => {
  const help = await runCli(['summary', '--help']);
  expect(help.stdout).toMatch(/--without-end END \(repeatable\)\s+leave out frames that end with END/);
  const all = await runCli(['export', goldenPath('hello'), '--format', 'collapsed']);
  const [leaf] = /[\w.$/]+(?= \d+$)/m.exec(all.stdout)!;
  const rest = await runCli([
    'export',
    goldenPath('hello'),
    '--format',
    'collapsed',
    '--without-end',
    leaf,
    '--without-end',
    'nothing',
  ]);
  expect(rest.stdout).not.toBe('');
  const framesOf = (text: string): readonly string[] => text.split(/[;\n]| \d+$/m);
  expect(framesOf(all.stdout).some((frame) => frame.endsWith(leaf))).toBe(true);
  expect(framesOf(rest.stdout).some((frame) => frame.endsWith(leaf))).toBe(false);
});

test('an assistant is told of it, and asks with it', async () => {
  expect(SCOPE_HELP).toContain('without-end=END');
  const { call } = await assistant({ files: [goldenPath('hello')] });
  const { data: opened } = await call('open', { path: goldenPath('hello') });
  const { data: all } = await call('top', { profile: opened.profile });
  const [{ key }] = all.rows;
  const scope = ['without-end=nothing', `without-end=${key}`];
  const { data: rest } = await call('top', { profile: opened.profile, scope });
  expect(rest.rows.length).toBeGreaterThan(0);
  expect(rest.rows.map((row) => row.key)).not.toContain(key);
  const wrong = await call('top', { profile: opened.profile, scope: [`without-ends=${key}`] });
  expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining("did you mean 'without-end'?")]);
});
