import { expect, test } from 'vitest';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { markColour } from '../../../renderer/panes/table/row-values.ts';
import { NO_SUMMARY } from '../../../renderer/panes/table/rows.ts';
import type { Row } from '../../../renderer/profile-worker/pane-messages.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import { type ColourBy, frameStyle, type StyledFrame } from '../../../shared/text/frame-colour.ts';

const ROW: Row = {
  id: 1,
  kind: 'frame',
  label: 'shop.Cart.total',
  thread: 'worker-1',
  depth: 2,
  expandable: false,
  expanded: false,
  match: false,
  matchBelow: false,
  selfCount: 10,
  totalCount: 20,
  selfTime: 80,
  totalTime: 90,
};

function markOf(row: Partial<Row>, colourBy: ColourBy, metric: Measure['metric'] = 'samples'): string {
  const whole = { ...NO_SUMMARY, samples: 100, totalTime: 400 };
  return markColour({ ...ROW, ...row }, colourBy, { metric, units: SAMPLES_AND_TIME, whole, largest: ROW });
}

/** The mark of a frame of the flame graph. */
function frameMark(frame: Partial<StyledFrame>, colourBy: ColourBy): string {
  const [light, dark] = (['light', 'dark'] as const).map(
    (theme) =>
      frameStyle(
        { label: ROW.label, kind: 'frame', match: false, ...frame },
        { theme, colourBy, searching: false },
      ).mark,
  );
  return `light-dark(${light}, ${dark})`;
}

test('a frame has a mark in the colour of its family, a thread none', () => {
  expect(markOf({}, 'package')).toMatch(/^light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)$/);
  expect(markOf({}, 'package')).not.toBe(markOf({ label: 'java.util.Map.get' }, 'package'));
  expect(markOf({ kind: 'thread' }, 'package')).toBe('transparent');
});

test('by thread, a row has the colour of its pool; a method, which is of all threads, that of none', () => {
  expect(markOf({}, 'thread')).toBe(frameMark({ pool: 'worker-*' }, 'thread'));
  expect(markOf({ thread: 'worker-7 <4711>' }, 'thread')).toBe(markOf({}, 'thread'));
  expect(markOf({ thread: 'main' }, 'thread')).not.toBe(markOf({}, 'thread'));
  for (const thread of [undefined, 'Unknown Thread(s)'])
    expect(markOf({ thread }, 'thread')).toBe(frameMark({}, 'thread'));
});

test('by self, a row has the colour of its share, by the metric', () => {
  expect(markOf({}, 'self')).toBe(frameMark({ selfShare: 0.1 }, 'self'));
  expect(markOf({}, 'self', 'time')).toBe(frameMark({ selfShare: 0.2 }, 'self'));
  expect(markOf({ selfTime: -80 }, 'self', 'time')).toBe(frameMark({ selfShare: 0 }, 'self'));
  const marks = [0, 10, 100].map((selfCount) => markOf({ selfCount }, 'self'));
  expect(new Set(marks).size).toBe(3);
});
