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
const LEAST_LABELLED = 35;

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
  const texts = frames.map(({ label }) => {
    const parts = label.split('.');
    const method = parts[parts.length - 1];
    return [label, parts.slice(-2).join('.'), method, `${method.slice(0, 4)}\u2026`];
  });
  const widths = await window.page.evaluate((each) => {
    const context = document.createElement('canvas').getContext('2d')!;
    context.font = `11.5px ${getComputedStyle(document.querySelector('.flame-graph')!).fontFamily}`;
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

test.each(['canvas', 'd3'] as const)(
  'a label has as much of package, class and method as fits, and at least four characters; drawn by %s',
  async (painter) => {
    const window = await openServerLog({ painter, width: 1440, height: 1000 });
    await window.showPane('flame');
    await recordLabels(window);
    await window.page.keyboard.press('i');
    await window.flameDrawnBy(painter);
    const kinds = { complete: 0, class: 0, method: 0, cut: 0, none: 0 };
    for (const { frame, label, space, forms, shortest } of await labelledFrames(window)) {
      const [complete, withClass, method] = forms;
      const message = `${frame.label} on ${frame.width} pixels: ${label}`;
      if (label === undefined) {
        kinds.none++;
        expect(method.width, message).toBeGreaterThan(space - TOLERANCE);
        if (method.text.length > 4) expect(shortest, message).toBeGreaterThan(space - TOLERANCE);
        continue;
      }
      // Of the forms that fit, the longest; inner classes have further ones.
      const wanted = forms.find(({ width }) => width <= space - TOLERANCE);
      if (wanted !== undefined) expect(label.length, message).toBeGreaterThanOrEqual(wanted.text.length);
      if (label === complete.text) kinds.complete++;
      else if (label === withClass.text) kinds.class++;
      else if (label === method.text) kinds.method++;
      else if (label.endsWith('\u2026')) {
        kinds.cut++;
        expect(method.text.startsWith(label.slice(0, -1)), message).toBe(true);
        expect(Array.from(label).length, message).toBeGreaterThan(4);
      } else expect(withClass.text.endsWith(label), message).toBe(true);
    }
    for (const [kind, count] of Object.entries(kinds)) expect(count, kind).toBeGreaterThan(0);
    expect(window.problems).toEqual([]);
  },
);

test('both painters write the same labels, `Branch.match` rather than `match`', async () => {
  const written: unknown[] = [];
  for (const painter of ['canvas', 'd3'] as const) {
    const window = await openServerLog({ painter, width: 1440, height: 1000 });
    await window.showPane('flame');
    await recordLabels(window);
    await window.search('BranchConn.match');
    await window.page.locator('.flame-canvas').focus();
    await window.page.keyboard.press('n');
    await window.flameDrawnBy(painter);
    // A zoom is animated on the canvas; the last picture counts.
    await expect
      .poll(async () =>
        (await labelledFrames(window)).some(({ label }) => /\bBranchConn\.match$/.test(label ?? '')),
      )
      .toBe(true);
    written.push((await labelledFrames(window)).map(({ frame, label }) => [frame.id, label]));
  }
  expect(written[1]).toEqual(written[0]);
});
