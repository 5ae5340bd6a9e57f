import { type FlameZoom, isSameZoom } from '../../../../shared/engine/query.ts';
import { describe, expect, test } from 'vitest';
import { EMPTY_SCOPE } from '../../../../shared/scope/scope.ts';
import { type FlameRow, flameRows } from '../../../../shared/engine/views/flame-columns.ts';
import type { Conditions } from '../../../../shared/engine/views/row-conditions.ts';
import { type Driven, find, FLAME, flame, tree, view, wholeLog } from '../../../support/driven-mirror.ts';

/** Some frames of each weight. */
const SEARCH = '/HashMap|StringBuilder|Arrays|ServerSim|Pattern.compile/';
/** Wide enough for every frame of the log to be drawn. */
const EVERYTHING = 10_000;

function rowsIn(driven: Driven): readonly FlameRow[] {
  return flameRows(driven.last('flame').layout);
}

interface Found {
  readonly id: number;
  readonly position: string;
  readonly zoom: FlameZoom | undefined;
}

/** Finds the next match, and declares the zoom in which it is shown, as the window does. */
function findNext(driven: Driven, pixels: number, direction: 1 | -1 = 1): Found {
  driven.ask(find(direction, undefined, 'flame'));
  const { selection, match, reveals } = driven.last('selected');
  const reveal = reveals.at(0);
  if (reveal?.kind !== 'flame' || selection === undefined || match === undefined)
    throw new Error('nothing found');
  const { zoom } = reveal;
  if (!isSameZoom(zoom, driven.last('flame').zoom)) driven.ask(flame({ zoom, pixels }));
  return { id: selection.id, position: `${match.position} of ${match.total}`, zoom };
}

const BIG_REGEX: Conditions = [
  [
    { of: 'key', comparison: 'starts', text: 'java.util.regex.' },
    { of: 'totalCount', comparison: '>=', value: 100 },
  ],
];

describe('a filter of rows', () => {
  const filtered = view('', 'fqmn', false, EMPTY_SCOPE, BIG_REGEX);

  test('leaves frames that pass, as wide as they were, and what leads to them', () => {
    const driven = wholeLog(flame({ pixels: EVERYTHING }));
    const all = rowsIn(driven);
    driven.ask(filtered);
    const shown = rowsIn(driven);
    const passes = ({ label, totalCount }: FlameRow): boolean =>
      label.startsWith('java.util.regex.') && totalCount >= 100;
    const kept = new Set<number>();
    for (let at = all.length - 1; at >= 0; at--)
      if (passes(all[at]) || kept.has(at)) kept.add(at).add(all[at].parent);
    kept.delete(-1);
    const numbers = ({ id, depth, weight, selfCount, totalCount }: FlameRow): readonly number[] => [
      id,
      depth,
      weight,
      selfCount,
      totalCount,
    ];
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.length).toBeLessThan(all.length / 4);
    expect(shown.slice(1).map(numbers)).toEqual(all.filter((_, at) => at > 0 && kept.has(at)).map(numbers));
  });

  test.each(['callers', 'callees', 'bottom-up'] as const)('reaches the graph of %s', (of) => {
    const label = 'java.util.regex.Pattern$GroupTail.match';
    const method = { of: 'bottom-up', id: 0, label } as const;
    const driven = wholeLog(
      { type: 'pane', pane: 'flame', spec: { ...FLAME, of, pixels: EVERYTHING, method } },
      tree({ threads: 'all' }),
    );
    const before = rowsIn(driven);
    driven.ask(filtered);
    const shown = rowsIn(driven);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThan(before.length);
    const parents = new Set(shown.map(({ parent }) => parent));
    const ends = shown.filter((_, at) => !parents.has(at));
    for (const { label, totalCount } of ends) {
      expect(label).toMatch(/^java\.util\.regex\./);
      expect(totalCount).toBeGreaterThanOrEqual(100);
    }
  });

  test('is gone with its last condition, and where nothing passes the graph is empty', () => {
    const driven = wholeLog(flame({ pixels: EVERYTHING }));
    const all = rowsIn(driven);
    driven.ask(
      view('', 'fqmn', false, EMPTY_SCOPE, [[{ of: 'key', comparison: 'equals', text: 'no.such' }]]),
    );
    expect(rowsIn(driven)).toEqual([]);
    driven.ask(view());
    expect(rowsIn(driven)).toEqual(all);
  });

  test('leaves out matches of a search', () => {
    const driven = wholeLog(flame({ pixels: EVERYTHING }));
    driven.ask(view('/GroupTail|ServerSim/', 'fqmn', false, EMPTY_SCOPE, BIG_REGEX));
    const matches = rowsIn(driven).filter(({ match }) => match);
    expect(findNext(driven, EVERYTHING).position).toBe(`1 of ${matches.length}`);
  });
});

describe('the next match in the flame graph', () => {
  test('is the next heaviest of the whole graph, with the numbers that the tree has', () => {
    const driven = wholeLog(flame({ pixels: EVERYTHING }), tree({ threads: 'all' }), view(SEARCH));
    const matches = rowsIn(driven).filter(({ match }) => match);
    expect(matches.length).toBeGreaterThan(30);
    const weightOf = new Map(matches.map(({ id, totalCount }) => [id, totalCount]));
    const found = matches.map(() => findNext(driven, EVERYTHING));
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(weightOf.keys()));
    expect(found.map(({ position }) => position)).toEqual(
      matches.map((_, at) => `${at + 1} of ${matches.length}`),
    );
    const weights = found.map(({ id }) => weightOf.get(id)!);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(findNext(driven, EVERYTHING)).toEqual(found[0]);
    expect(findNext(driven, EVERYTHING, -1)).toEqual(found[found.length - 1]);
    driven.ask(find(1));
    const { selection, match } = driven.last('selected');
    expect(selection?.id).toBe(found[0].id);
    expect(match).toEqual({ position: 1, total: matches.length });
  });

  test('is drawn after it is found, in a zoom of its own where it was in a block or outside', () => {
    const pixels = 400;
    const driven = wholeLog(flame({ pixels }), view(SEARCH));
    const isDrawn = (id: number): boolean =>
      rowsIn(driven).some((row) => row.id === id && row.kind !== 'block');
    let zooms = 0;
    let zoom: FlameZoom | undefined;
    const total = Number(findNext(driven, pixels).position.replace('1 of ', ''));
    for (let step = 1; step < total; step++) {
      const before = rowsIn(driven);
      const found = findNext(driven, pixels);
      expect(isDrawn(found.id)).toBe(true);
      const [root] = rowsIn(driven);
      const frame = rowsIn(driven).find(({ id, kind }) => id === found.id && kind !== 'block')!;
      const wasDrawn = before.some(({ id, kind }) => id === found.id && kind !== 'block');
      // As long as it is drawn nothing moves; otherwise there is room to see it.
      if (wasDrawn) expect(found.zoom).toEqual(zoom);
      else expect(frame.weight).toBeGreaterThanOrEqual(0.05 * root.weight);
      if (!wasDrawn) zooms++;
      zoom = found.zoom;
    }
    expect(zooms).toBeGreaterThan(5);
  });

  test('that is drawn in a zoomed block is found there', () => {
    const driven = wholeLog(flame({ pixels: 400 }), view(SEARCH));
    const block = rowsIn(driven).find(
      ({ kind, match, grouped }) => kind === 'block' && match && grouped > 4,
    )!;
    const zoom = {
      row: rowsIn(driven)[block.parent].id,
      run: { first: block.id, last: block.lastId },
    };
    driven.ask(flame({ zoom, pixels: 400 }));
    const inBlock = new Set(
      rowsIn(driven)
        .filter(({ kind }) => kind === 'frame')
        .map(({ id }) => id),
    );
    const total = driven.last('flame').layout.length;
    expect(total).toBeGreaterThan(1);
    let stayed = 0;
    const first = findNext(driven, 400);
    for (let found = first, step = 0; step < 2_000; step++) {
      if (inBlock.has(found.id) && isSameZoom(found.zoom, zoom)) stayed++;
      driven.ask(flame({ zoom, pixels: 400 }));
      found = findNext(driven, 400);
      if (found.id === first.id) break;
    }
    expect(stayed).toBeGreaterThan(0);
  });

  test('that there is none is told', () => {
    const driven = wholeLog(flame());
    const told = (): string => {
      driven.ask(find(1, undefined, 'flame'));
      return driven.last('notice').text;
    };
    expect(told()).toBe('Type part of a name into the find field first.');
    driven.ask(view('nothing is called this'));
    expect(told()).toBe('No method matches.');
    driven.ask(view('AGCT', 'fqmn', true));
    expect(told()).toBe('Every match is an error, and errors are hidden.');
  });
});
