import { expect, test } from 'vitest';
import { KeptLayouts } from '../../../renderer/profile-worker/panes/flame-pane.ts';
import { CallTree } from '../../../shared/engine/trees/call-tree.ts';
import { RowSums } from '../../../shared/engine/values/row-sums.ts';
import { flameBuffers, type FlameLayout } from '../../../shared/engine/views/flame-columns.ts';
import { layoutFlame, type LayoutRoot } from '../../../shared/engine/views/flame-layout.ts';
import { FlameMeasures } from '../../../shared/engine/views/flame-measures.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

test('a layout is made again when weights, root or width have changed, and is whole each time', () => {
  const { profile } = profileFromText(`
    main  main  main
    S.m   S.m   S.n
    S.a   S.b   S.c
  `);
  const tree = new CallTree(profile, { threads: 'all', frames: 'fqmn' });
  const sums = new RowSums(tree, profile.selfValues);
  const measures = new FlameMeasures(sums, 'samples');
  const layouts = new KeptLayouts();
  let made = 0;
  const layOut = (pixels = 100, root?: LayoutRoot): FlameLayout => {
    tree.update();
    sums.update();
    measures.update();
    const fresh = (): FlameLayout =>
      layoutFlame(
        sums,
        { metric: 'samples', siblings: 'name', zoom: root, pixels, matching: undefined, kept: undefined },
        measures,
      );
    const expected = fresh();
    const layout = layouts.of(measures, { root, pixels, siblings: 'name' }, () => {
      made++;
      return fresh();
    });
    expect(layout).toEqual(expected);
    return layout;
  };
  // Its buffers go to the window.
  structuredClone(null, { transfer: flameBuffers(layOut()) });
  structuredClone(null, { transfer: flameBuffers(layOut()) });
  layOut();
  expect(made).toBe(1);
  layOut(200);
  layOut(200, { row: 1, run: undefined });
  layOut(200, { row: 1, run: undefined });
  expect(made).toBe(3);
  profile.selfValues.add(0, 1, 0);
  layOut(200, { row: 1, run: undefined });
  expect(made).toBe(4);
});
