import { expect, test } from 'vitest';
import { type Legend, legendOf } from '../../../../renderer/panes/legend/FrameLegend.tsx';
import { type ColourScheme, frameStyle } from '../../../../shared/text/frame-colour.ts';
import { flameRows, KIND } from '../../../../shared/engine/views/flame-columns.ts';
import { flameOf } from '../../../support/drawn-flame.ts';

const SCHEME: ColourScheme = { theme: 'light', colourBy: 'package', searching: false };

/** Threads below the root. */
function threads(drawing: string): ReturnType<typeof flameOf> {
  const layout = flameOf(drawing);
  for (let row = layout.levelStart[1]; row < layout.levelStart[2]; row++) {
    if (layout.kind[row] === KIND.frame) layout.kind[row] = KIND.thread;
  }
  return layout;
}

function namesOf({ entries }: Legend): readonly string[] {
  return entries.map(({ name }) => name);
}

const THREADS = threads(`
  all 100
    main 20
      shop.A.a 20
    worker-1 15
    worker-2 15
      java.util.List.of 10
      libc.so.6 5
    lost 1
    ~4 9
`);
THREADS.kind[flameRows(THREADS).findIndex(({ label }) => label === 'lost')] = KIND.error;

test('by package, a family has the range of its hues', () => {
  const legend = legendOf(SCHEME, THREADS, undefined);
  expect(namesOf(legend)).toEqual(['Application', 'JDK', 'Native', 'No stack']);
  expect(legend.entries.map(({ fills }) => fills.length)).toEqual([3, 3, 3, 1]);
  expect(legend.entries[3].hatch).toBeDefined();
  expect(namesOf(legendOf(SCHEME, flameOf('all 20\n  shop.A.a 20'), undefined))).toEqual(['Application']);
});

test('by thread, the pools on screen have their colours, the heaviest first', () => {
  const scheme = { ...SCHEME, colourBy: 'thread' } as const;
  const legend = legendOf(scheme, THREADS, undefined);
  expect(namesOf(legend)).toEqual(['worker-*', 'main', 'No stack']);
  const frame = { label: 'shop.A.a', kind: 'frame', match: false, pool: 'main' } as const;
  expect(legend.entries[1].fills).toEqual([frameStyle(frame, scheme).fill]);

  // Zoomed into a thread.
  expect(namesOf(legendOf(scheme, flameOf('shop.A.a 20'), 'worker-7'))).toEqual(['worker-7']);

  const many = threads(`
    all 28
      a 1
      b 2
      c 3
      d 4
      e 5
      f 6
      g 7
  `);
  expect(namesOf(legendOf(scheme, many, undefined))).toEqual(['g', 'f', 'e', 'd', 'c', '2 more']);
});

test('by self, each family has a scale from pale to strong', () => {
  const legend = legendOf({ ...SCHEME, colourBy: 'self' }, THREADS, undefined);
  expect(namesOf(legend)).toEqual(['Self 0 – 25 %', 'Application', 'JDK', 'Native', 'No stack']);
  expect(new Set(legend.entries[1].fills).size).toBe(3);
});

test('with a search, what matches has an entry', () => {
  const [match] = legendOf({ ...SCHEME, searching: true }, THREADS, undefined).entries.slice(-1);
  expect(match.name).toBe('Match');
  expect(match.outline).toBeDefined();
});
