import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow } from '../support/window.ts';

const { openServerLog } = useWindows();

/** The names of a pane, with two blanks for each level. */
function names(window: LogWindow, pane: 'tree' | 'flat'): Promise<readonly string[]> {
  return window.rows(pane, 1_000);
}

test('samples without a stack are one row, the last in every order, and one frame at the end, which say what they are', async () => {
  const window = await openServerLog({ height: 900 });
  const kinds = /could not be read.*In the whole file: unknown, Java 421 · unknown, not Java 131 · /;
  for (const pane of ['tree', 'flat'] as const) {
    const row = window.part(`pane-${pane}`).locator('.row-error');
    for (const sorted of [0, 1, 2]) {
      if (sorted > 0) {
        await window
          .part(`pane-${pane}`)
          .getByRole('columnheader')
          .first()
          .getByRole('button')
          .first()
          .click();
        await window.settled();
      }
      await window
        .part(`pane-${pane}`)
        .getByRole(pane === 'tree' ? 'treegrid' : 'grid')
        .focus();
      await window.page.keyboard.press('End');
      await window.settled();
      expect(await row.count(), `${pane} ${sorted}`).toBe(1);
      expect((await names(window, pane)).at(-1)!.trim()).toBe('No stack');
    }
    expect(await row.locator('.row-name > [title]').getAttribute('title')).toMatch(kinds);
    expect((await window.numbers(pane, 'totalCount')).get('No stack')).toBe('561');
  }
  const frames = (await window.flameFrames()).filter(({ depth }) => depth === 1);
  expect(frames.map(({ kind }) => kind).indexOf('error')).toBe(frames.length - 1);
  const weights = frames.filter(({ kind }) => kind === 'frame').map(({ weight }) => weight);
  expect(weights).toEqual([...weights].sort((a, b) => b - a));
  await window.hoverFrame('No stack');
  await window.settled();
  expect(await window.page.locator('.frame-hover').getAttribute('title')).toMatch(kinds);
  expect(window.problems).toEqual([]);
});
