import { profileInScope } from '../../support/profile-in-scope.ts';
import { expect, test, vi } from 'vitest';
import { CallTree } from '../../../shared/engine/trees/call-tree.ts';
import { callTreeOf } from '../../../shared/export/tree.ts';
import { flatProfileOf } from '../../../shared/export/flat.ts';
import { EMPTY_SCOPE, MACHINE_NAMES, type Scope, type Transform } from '../../../shared/scope/scope.ts';
import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import { ShownProfile } from '../../support/shown-profile.ts';
import { flameRows } from '../../../shared/engine/views/flame-columns.ts';
import { SAMPLE_KINDS } from '../../../shared/engine/views/self-groups.ts';
import { poolOf } from '../../../shared/text/thread-pools.ts';
import { valuesWithoutErrors } from '../../support/values-without-errors.ts';
import {
  Driven,
  expand,
  FLAT,
  flame,
  type Handled,
  LOG,
  rowsOf,
  scoped,
  select,
  tree,
  TREE,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { readLog } from '../../support/read-log.ts';
import { readModel } from '../../support/reference-model.ts';

const COLLAPSED: Partial<Scope> = { transforms: [{ kind: 'collapse', prefix: 'java.' }] };
const TIMES = readModel(LOG)
  .samples.map(({ at }) => at!)
  .toSorted((a, b) => (a < b ? -1 : 1));
const PANES = [FLAT, TREE, flame()] as const;
const ALL_ROWS = [rowsOf('flat', 0, 5_000), rowsOf('tree', 0, 5_000)] as const;

/** A mirror with the whole log, in which all rows are on screen. */
function allRows(look: Handled): Driven {
  const driven = wholeLog(look, ...PANES);
  driven.ask(...ALL_ROWS);
  return driven;
}

/** What the rows of a pane say: `label self total`. */
function shownTexts(driven: Driven, pane: string): string[] {
  return driven
    .shown(pane)
    .rows.map(({ label, selfCount, totalCount }) => `${label} ${selfCount} ${totalCount}`);
}

function labels(driven: Driven, pane: string): string[] {
  return driven.shown(pane).rows.map(({ label }) => label);
}

test.each([false, true])('all panes show what is in scope; errors hidden: %s', (hidesErrors) => {
  const { profile: source } = readLog(LOG);
  const values = hidesErrors ? valuesWithoutErrors(source) : source.selfValues;
  const driven = allRows(view());
  const { summary: whole } = driven.last('summary');
  const key = labels(driven, 'flat').find((label) => label.startsWith('java.'))!;
  const scopes: Partial<Scope>[] = [
    COLLAPSED,
    { transforms: [{ kind: 'drop', key }] },
    { threads: [labels(driven, 'tree')[0]] },
    { transforms: [{ kind: 'keep', key }, ...(COLLAPSED.transforms ?? [])], threads: ['/./'] },
  ];
  for (const scope of scopes) {
    driven.ask(scoped(scope, 'fqmn', hidesErrors));
    const inScope = profileInScope(source, { ...EMPTY_SCOPE, ...scope }, 'fqmn', () => values);
    const flat = flatProfileOf(inScope.profile, {
      frames: 'fqmn',
      recursion: 'once',
      values: inScope.values,
    });
    const expected = flat.keys.labels
      .map((label, row) => ({ text: `${label} ${flat.selfCount[row]} ${flat.totalCount[row]}`, row }))
      .filter(({ row }) => flat.totalCount[row] > 0);
    expect(shownTexts(driven, 'flat').toSorted()).toEqual(expected.map(({ text }) => text).toSorted());
    const sums = callTreeOf(inScope.profile, { threads: 'name', frames: 'fqmn' }, inScope.values);
    const roots = sums.tree.roots().filter((row) => sums.isShown(row));
    const threads = driven.shown('tree').rows.filter(({ depth }) => depth === 0);
    expect(threads.map(({ label, totalCount }) => `${label} ${totalCount}`).toSorted()).toEqual(
      roots.map((row) => `${sums.tree.label(row)} ${sums.totalCount[row]}`).toSorted(),
    );
    const { summary } = driven.last('summary');
    expect(summary.outside.samples).toBe(inScope.outside.samples);
    expect(summary.samples - summary.hidden.samples - summary.outside.samples).toBe(
      driven.last('flame').layout.weight[0],
    );
  }
  driven.ask(view());
  expect(driven.last('summary').summary).toEqual(whole);
});

/** Samples per method in the flat pane, whose rows are of methods, of lines or of BCIs. */
function selfPerMethod(driven: Driven): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { label, selfCount } of driven.shown('flat').rows) {
    const method = label.replace(/:-?\d+$/, '');
    if (selfCount > 0) sums.set(method, (sums.get(method) ?? 0) + selfCount);
  }
  return sums;
}

test.each<[string, (key: string) => Transform]>([
  ['keep', (key) => ({ kind: 'keep', key, keys: 'fqmn' })],
  ['drop', (key) => ({ kind: 'drop', key, keys: 'fqmn' })],
  ['focus', (key) => ({ kind: 'focus', key, keys: 'fqmn' })],
  ['merge', (key) => ({ kind: 'merge', key, keys: 'fqmn' })],
  ['only', () => ({ kind: 'only', prefixes: ['java.util.'], keys: 'fqmn' })],
  ['collapse', () => ({ kind: 'collapse', prefix: 'java.util.', keys: 'fqmn' })],
  ['collapse recursion', () => ({ kind: 'collapse-recursion', of: 'all', keys: 'fqmn' })],
])('%s means the same when frames are grouped otherwise, also by a line', (_, transformOf) => {
  const driven = allRows(view());
  const key = driven.shown('flat').rows.find(({ label }) => label.startsWith('java.'))!.label;
  const scope = { transforms: [transformOf(key)] };
  driven.ask(scoped(scope));
  const byMethod = selfPerMethod(driven);
  const { outside } = driven.last('summary').summary;
  driven.ask(scoped(scope, 'line'));
  expect(selfPerMethod(driven)).toEqual(byMethod);
  expect(driven.last('summary').summary.outside).toEqual(outside);
});

test('a step that names a line leaves its samples out while frames are grouped by method', () => {
  const driven = allRows(view('', 'line'));
  const { label: line, totalCount } = driven.shown('flat').rows.find(({ label }) => /:\d+$/.test(label))!;
  for (const frames of ['line', 'fqmn'] as const) {
    driven.ask(scoped({ transforms: [{ kind: 'drop', key: line, keys: 'line' }] }, frames));
    expect(driven.last('summary').summary.outside.samples, frames).toBe(totalCount);
    // This one makes stacks of its own.
    driven.ask(scoped({ transforms: [{ kind: 'focus', key: line, keys: 'line' }] }, frames));
    const { samples, outside } = driven.last('summary').summary;
    expect(samples - outside.samples, frames).toBe(totalCount);
  }
});

test('a scope and its undo give the same bytes, and what is open and selected stays', () => {
  const driven = allRows(view());
  for (const { id, depth, totalCount } of driven.rows())
    if (depth === 0 && totalCount < 60) driven.ask(expand(id, 'all'));
  const deep = driven.rows().find(({ depth, label }) => depth > 2 && !label.startsWith('java.'))!;
  driven.ask(select('calls', deep));
  driven.ask(view('', 'line'), view());
  const shown = (): string => {
    // The selected row keeps its place on screen, so the rows that are sent may begin elsewhere.
    driven.ask(...ALL_ROWS);
    return JSON.stringify([driven.shown('flat').rows, driven.rows(), flameRows(driven.last('flame').layout)]);
  };
  const before = shown();
  driven.ask(scoped(COLLAPSED));
  const selected = driven.selected('tree');
  expect([selected.id, selected.row.label]).toEqual([deep.id, deep.label]);
  expect(driven.rows().some(({ label }) => label === 'java.*')).toBe(true);
  driven.ask(view());
  // Not `toEqual`: a difference in so many rows takes long to print.
  expect(shown() === before).toBe(true);

  const key = driven.rows().find(({ depth }) => depth === 2)!.label;
  const transforms: readonly Transform[] = [
    { kind: 'keep', key },
    { kind: 'drop', key },
    { kind: 'focus', key },
    { kind: 'merge', key },
    { kind: 'only', prefixes: ['java.'] },
    { kind: 'collapse-class', className: 'java.util.regex.Pattern' },
    { kind: 'collapse-recursion', of: 'direct' },
    { kind: 'collapse-recursion', of: 'all' },
    { kind: 'fold', names: MACHINE_NAMES },
  ];
  const [from, to] = [0.5, 0.8].map((part) => String(TIMES[Math.floor(part * TIMES.length)]));
  const scopes: readonly Partial<Scope>[] = [
    ...transforms.map((transform) => ({ transforms: [transform] })),
    { threads: ['main'] },
    { range: { kind: 'between', from, to } },
    { range: { kind: 'latest', ns: 1e9 }, transforms: COLLAPSED.transforms! },
  ];
  for (const scope of scopes) {
    const where = JSON.stringify(scope);
    // The events of all scopes together are hundreds of thousands of rows.
    driven.events.length = 0;
    driven.ask(scoped(scope));
    const inScope = shown();
    driven.ask(view());
    expect(shown() === before, where).toBe(true);
    driven.ask(scoped(scope));
    expect(shown() === inScope, where).toBe(true);
    if (!where.includes('collapse-recursion')) expect(inScope === before, where).toBe(false);
  }
});

test('a method keeps its identity, also one that a transform made', () => {
  const driven = allRows(scoped(COLLAPSED));
  const made = driven.shown('flat').rows.find(({ label }) => label === 'java.*')!;
  const own = driven.shown('flat').rows.find(({ label }) => !label.startsWith('java.'))!;
  driven.ask(scoped({ transforms: [{ kind: 'merge', key: 'nowhere' }, ...COLLAPSED.transforms!] }));
  const idOf = (label: string): number | undefined =>
    driven.shown('flat').rows.find((row) => row.label === label)?.id;
  expect(idOf('java.*')).toBe(made.id);
  expect(idOf(own.label)).toBe(own.id);
  driven.ask(view());
  expect(idOf(own.label)).toBe(own.id);
});

test('a scope that changes no stack uses the profile and its trees as they are', () => {
  const { profile } = readLog(LOG);
  const shown = new ShownProfile(profile);
  const look = (scope: Partial<Scope>): ProfileView => shown.again({ scope: { ...EMPTY_SCOPE, ...scope } });
  const whole = look({}).sums({ threads: 'name', frames: 'fqmn' }).tree;
  const selected = look({ threads: ['main'], transforms: [{ kind: 'drop', key: 'java.lang.Object.wait' }] });
  expect(selected.profile).toBe(profile);
  expect(selected.sums({ threads: 'name', frames: 'fqmn' }).tree).toBe(whole);
  expect(look({ threads: ['main'], ...COLLAPSED }).profile).not.toBe(profile);
});

test('all call nodes are walked for the first transform, not for a further one, its undo and other threads', () => {
  const { profile } = readLog(LOG);
  const shown = new ShownProfile(profile);
  const made = new Set<CallTree>();
  const update = vi.spyOn(CallTree.prototype, 'update');
  const look = (scope: Partial<Scope>): ProfileView => {
    const view = shown.again({ scope: { ...EMPTY_SCOPE, ...scope } });
    for (const tree of update.mock.contexts) made.add(tree as CallTree);
    return view;
  };
  const { transforms = [] } = COLLAPSED;
  try {
    look({ transforms });
    look({ transforms: [...transforms, { kind: 'collapse-recursion', of: 'all' }] });
    look({ transforms, threads: ['main'] });
    const { profile: whole } = look({ transforms });
    look({});
    // What was made before is still there.
    expect(look({ transforms }).profile).toBe(whole);
    expect(made.size).toBe(1);
  } finally {
    update.mockRestore();
  }
});

test('threads of one name can be told apart within a scope', () => {
  const driven = wholeLog(scoped(COLLAPSED), tree({ threads: 'id' }));
  const roots = driven.rows().filter(({ depth }) => depth === 0);
  expect(roots.length).toBeGreaterThan(1);
  for (const { label } of roots) expect(label).toMatch(/<-?\d+>$/);
});

test.each([{}, COLLAPSED])('pools merge the threads of their names; scope: %j', (scope) => {
  const rootsBy = (threads: 'name' | 'pool'): ReadonlyMap<string, number> => {
    const driven = wholeLog(scoped(scope), tree({ threads }));
    driven.ask(rowsOf('tree', 0, 5_000));
    const roots = driven.rows().filter(({ depth }) => depth === 0);
    return new Map(roots.map(({ label, totalCount }) => [label, totalCount]));
  };
  const merged = new Map<string, number>();
  const names = rootsBy('name');
  for (const [name, count] of names) merged.set(poolOf(name), (merged.get(poolOf(name)) ?? 0) + count);
  expect(rootsBy('pool')).toEqual(merged);
  expect(merged.size).toBeLessThan(names.size);
});

test.each<Partial<Scope>>([
  {},
  { transforms: [{ kind: 'drop', key: 'java.lang.Thread.run' }] },
  COLLAPSED,
  { threads: ['/./'] },
])('hidden errors are in nothing that shows samples over time: %j', (scope) => {
  const timeline: Handled = {
    type: 'timeline',
    view: { zoom: undefined, buckets: 10 },
    tracks: { open: [], from: 0, count: 1_000, holds: false },
    heatmap: { fit: 50 },
  };
  const driven = wholeLog(scoped(scope), FLAT, timeline);
  const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);
  const shown = (): readonly number[] => {
    const { columns, tracks, heatmap } = driven.last('timeline');
    return [
      sum(columns!.samples),
      // All threads are a track, too.
      sum(tracks!.kinds) / 2,
      sum(heatmap!.samples),
    ];
  };
  const errors = (): readonly number[] => {
    const { columns, tracks } = driven.last('timeline');
    const { buckets, kinds } = tracks!;
    const isError = (at: number): boolean =>
      SAMPLE_KINDS[Math.floor(at / buckets) % SAMPLE_KINDS.length] === 'error';
    return [sum(columns!.errors), sum(kinds.filter((_, at) => isError(at)))];
  };
  const inScope = (): number => {
    const { samples, hidden, outside } = driven.last('summary').summary;
    return samples - hidden.samples - outside.samples;
  };
  expect(shown()).toEqual(shown().map(inScope));
  expect(Math.min(...errors())).toBeGreaterThan(0);
  const withErrors = inScope();
  driven.ask(scoped(scope, 'fqmn', true));
  expect(inScope()).toBeLessThan(withErrors);
  expect(shown()).toEqual(shown().map(inScope));
  expect(errors()).toEqual([0, 0]);
});

test('the list of threads says which of them a search finds, and which a typed expression selects', () => {
  const typed = '/^.*finalizer|main/';
  const driven = wholeLog(view(), { type: 'threads', shown: true });
  expect(driven.last('threads').threads.found).toBeUndefined();
  driven.ask(scoped({ threads: [typed, 'main', '/^worker-[0-9]+$/'] }), {
    type: 'threads',
    shown: true,
    search: '/^MA/',
  });
  const { threads } = driven.last('threads');
  expect(threads.found).toEqual(new Set(['main']));
  expect([...threads.typed.keys()]).toEqual([typed]);
  expect(threads.typed.get(typed)?.has('main')).toBe(true);
});

test('the list of threads has their samples in scope, selected or not', () => {
  const { profile } = readLog(LOG);
  const dropped = flatProfileOf(profile, { frames: 'fqmn', recursion: 'once' }).keys.labels.find((label) =>
    label.startsWith('java.util.regex.'),
  )!;
  const scopes: Partial<Scope>[] = [
    {},
    { threads: ['main'] },
    COLLAPSED,
    { threads: ['main'], transforms: [{ kind: 'drop', key: dropped }] },
    { threads: ['main'], transforms: [{ kind: 'focus', key: dropped }] },
  ];
  const driven = wholeLog(view(), TREE, { type: 'threads', shown: true });
  const outside: number[] = [];
  for (const scope of scopes) {
    driven.ask(scoped(scope));
    const { names, threads, samples, time } = driven.last('threads').threads;
    const whole = profileInScope(profile, { ...EMPTY_SCOPE, ...scope, threads: [] }, 'fqmn');
    const sums = callTreeOf(whole.profile, { threads: 'name', frames: 'fqmn' }, whole.values);
    const roots = sums.tree.roots().map((row) => [sums.tree.label(row), row] as const);
    const rowOf = new Map(roots);
    const expected = names.map((name) => {
      const row = rowOf.get(name);
      return row === undefined ? [name, 0, 0] : [name, sums.totalCount[row], sums.totalTime.ns[row]];
    });
    expect(names.map((name, at) => [name, samples[at], time[at]])).toEqual(expected);
    expect(threads.reduce((sum, count) => sum + count)).toBe(profile.threads.length);
    outside.push(whole.outside.samples);
  }
  expect(outside.slice(0, 3)).toEqual([0, 0, 0]);
  expect(outside.slice(3).every((count) => count > 0)).toBe(true);
});
