/** The answer to what changed from one profile to another, as numbers for programs. */
import type { MethodChange } from '../engine/comparison/method-changes.ts';
import type { CompareReport } from '../export/written-comparison.ts';
import { shareOf } from './answer.ts';
import { unitsData } from './hot.ts';
import type { CompareData } from './schemas.ts';

/** `limit`: most changes. Changes that chance does not explain come first, the largest before. */
export function compareData(
  { names, whole, units, metric, changes, notes }: CompareReport,
  limit: number,
): CompareData {
  const differing = changes.filter(({ difference }) => difference !== 0);
  const isReal = ({ certainty }: MethodChange): boolean => certainty !== 'chance';
  const sorted = [...differing.filter(isReal), ...differing.filter((change) => !isReal(change))];
  const shown = sorted.slice(0, limit);
  const left = sorted.slice(limit);
  const side = (of: 'base' | 'next') => ({
    name: names[of],
    samples: whole[of].samples,
    value: units.value === undefined ? null : whole[of].time,
  });
  return {
    base: side('base'),
    new: side('next'),
    units: unitsData(units),
    metric,
    notes: [...notes],
    changes: shown.map((change) => ({
      key: change.label,
      of: change.of,
      base: { samples: change.base.samples, share: shareOf(change.base.share, 1) },
      new: { samples: change.next.samples, share: shareOf(change.next.share, 1) },
      difference: Math.round(change.difference * 1e6) / 1e6,
      interval:
        change.sampled === undefined
          ? null
          : {
              low: Math.round(change.sampled.low * 1e6) / 1e6,
              high: Math.round(change.sampled.high * 1e6) / 1e6,
            },
      certainty: change.certainty,
    })),
    leftOut: {
      changes: left.length,
      beyondChance: left.filter(isReal).length,
    },
  };
}
