import { expect, test } from 'vitest';
import { Comparison } from '../../../../shared/compare/comparison.ts';
import { COLLAPSED } from '../../../../shared/formats/collapsed/format.ts';
import { WrittenComparison } from '../../../../shared/export/write-comparison.ts';
import { SAMPLES_ONLY } from '../../../../shared/profile/profile-units.ts';
import { KEEP_ALL } from '../../../../shared/views/filter.ts';
import { decodeInput } from '../../../support/read-input.ts';

test.each([true, false])(
  'a picture says what the table says: differences are subject to chance only if both sides count samples: %s',
  (isSampled) => {
    const [base, next] = ['A.a 50\nB.b 50\n', 'A.a 55\nB.b 45\n'].map((text) => {
      const { profile } = decodeInput(COLLAPSED, new TextEncoder().encode(text));
      return { profile, values: profile.selfValues };
    });
    const written = new WrittenComparison({
      comparison: new Comparison(base, next, { threads: 'all', frames: 'fqmn' }),
      // Those of the base.
      units: SAMPLES_ONLY,
      isSampled,
      ...{ title: '', names: { base: 'old', next: 'new' }, metric: 'samples', filter: KEEP_ALL },
      ...{ recursion: 'once', isByShare: true, notes: [], root: () => undefined },
      ...{ theme: 'light', orientation: 'flame', width: 1000 },
    });
    const textOf = (format: 'csv' | 'svg'): string => {
      const pieces: (string | Uint8Array)[] = [];
      written.write(format, (piece) => pieces.push(piece));
      return pieces.join('');
    };
    const [csv, svg] = [textOf('csv'), textOf('svg')];
    expect(csv).toContain(isSampled ? ',chance' : ',exact');
    expect(svg.includes('chance explains the difference (95 % interval)')).toBe(isSampled);
    expect(svg.includes('>+ A.a</text>')).toBe(!isSampled);
  },
);
