import { expect, test } from 'vitest';
import { drawnLabels, recordLabels } from '../support/drawn-labels.ts';
import { useWindows } from '../support/opened-window.ts';
import type { FlameFrame, LogWindow } from '../support/window.ts';

const { openServerLog } = useWindows();

/** A frame that is wide enough for a label, and the widths of texts that could be one, CSS pixels. */
interface Labelled {
  readonly frame: FlameFrame;
  /** undefined for none. */
  readonly label: string | undefined;
  readonly space: number;
  /** `java.lang.Branch.match`, `Branch.match` and `match`. */
  readonly forms: readonly { readonly text: string; readonly width: number }[];
  /** The first four characters of the method and an ellipsis. */
  readonly shortest: number;
}

/** CSS pixels. */
const MARGIN = 4;
/** A pixel more than the least: only one painter rounds edges to pixels. */
const LEAST_LABELLED = 36;

/** The frames whose complete height is in view. Widths are measured in the page, not with the window's own code. */
async function labelledFrames(window: LogWindow): Promise<readonly Labelled[]> {
  const { y, height } = (await window.page.locator('.flame-scroller').boundingBox())!;
  const frames = (await window.flameFrames()).filter(
    (frame) =>
      frame.kind === 'frame' &&
      frame.width >= LEAST_LABELLED &&
      frame.y >= y &&
      frame.y + frame.height <= y + height,
  );
  const labels = await drawnLabels(window);
  const texts = frames.map((frame) => {
    const label = frame.label.replace(/\$\$Lambda.*(?=\.[^.]+$)/, '$$$$Lambda');
    const parts = label.split('.');
    const method = parts[parts.length - 1];
    return [label, parts.slice(-2).join('.'), method, `${method.slice(0, 4)}\u2026`];
  });
  const widths = await window.page.evaluate((each) => {
    const context = document.createElement('canvas').getContext('2d')!;
    context.font = `11px ${getComputedStyle(document.querySelector('.flame-graph')!).fontFamily}`;
    context.fontKerning = 'none';
    context.textRendering = 'geometricPrecision';
    return each.map((row) => row.map((text) => context.measureText(text).width));
  }, texts);
  return frames.map((frame, at) => ({
    frame,
    label: labels.find(
      ({ x, y: base }) =>
        Math.abs(x - frame.x - MARGIN) < 0.5 && base > frame.y && base < frame.y + frame.height,
    )?.text,
    space: frame.width - 2 * MARGIN,
    forms: texts[at].slice(0, 3).map((text, form) => ({ text, width: widths[at][form] })),
    shortest: widths[at][3],
  }));
}

/** CSS pixels by which sums of glyph widths may differ from the width of a text. */
const TOLERANCE = 0.6;

test('a label has as much of package, class and method as fits, and at least four characters, by both painters', async () => {
  const written: unknown[] = [];
  for (const painter of ['canvas', 'd3'] as const) {
    const window = await openServerLog({ painter, width: 1200, height: 1000 });
    await window.showPane('flame');
    await recordLabels(window);
    await window.page.keyboard.press('Alt+i');
    await window.flameDrawnBy(painter);
    const frames = await labelledFrames(window);
    const counts = { complete: 0, class: 0, method: 0, cut: 0, none: 0 };
    for (const each of frames) counts[checkedForm(each)]++;
    for (const [form, count] of Object.entries(counts)) expect(count, form).toBeGreaterThan(0);
    expect(frames.map(({ label }) => label)).toContain('Pattern$BranchConn.match');
    written.push(frames.map(({ frame, label }) => [frame.id, label]));
    expect(window.problems).toEqual([]);
  }
  expect(written[1]).toEqual(written[0]);
});

/** Checks that a frame has the longest form that fits; which one it is. */
function checkedForm({
  frame,
  label,
  space,
  forms,
  shortest,
}: Labelled): 'complete' | 'class' | 'method' | 'cut' | 'none' {
  const [complete, withClass, method] = forms;
  const message = `${frame.label} on ${frame.width} pixels: ${label}`;
  if (label === undefined) {
    expect(method.width, message).toBeGreaterThan(space - TOLERANCE);
    if (method.text.length > 4) expect(shortest, message).toBeGreaterThan(space - TOLERANCE);
    return 'none';
  }
  const wanted = forms.find(({ width }) => width <= space - TOLERANCE);
  if (wanted !== undefined) expect(label.length, message).toBeGreaterThanOrEqual(wanted.text.length);
  if (label === complete.text) return 'complete';
  if (label === method.text) return 'method';
  if (label.endsWith('\u2026')) {
    expect(method.text.startsWith(label.slice(0, -1)), message).toBe(true);
    expect(Array.from(label).length, message).toBeGreaterThan(4);
    return 'cut';
  }
  // Inner classes have a further form: without the outer class.
  expect(withClass.text.endsWith(label), message).toBe(true);
  return 'class';
}
