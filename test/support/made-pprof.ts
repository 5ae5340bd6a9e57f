import {
  Function as PprofFunction,
  Label,
  Line,
  Location,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import type { SeededRandom } from './seeded-random.ts';

/** A profile with random stacks of methods `shop.M0.run` to `shop.M7.run`, and all values of each sample. */
export function randomPprof(
  random: SeededRandom,
  types: readonly (readonly [name: string, unit: string])[],
  timeNanos = 0n,
): Uint8Array {
  const stringTable = new StringTable();
  const text = (value: string): number => stringTable.dedup(value);
  // Functions have other ids and another order in each file.
  const shift = random.below(8);
  const methods = Array.from({ length: 8 }, (_, at) => (at + shift) % 8);
  return new Profile({
    sampleType: types.map(([name, unit]) => new ValueType({ type: text(name), unit: text(unit) })),
    function: methods.map(
      (method, at) =>
        new PprofFunction({ id: at + 1, name: text(`shop.M${method}.run`), filename: text('Shop.java') }),
    ),
    location: methods.map(
      (_, at) => new Location({ id: at + 1, line: [new Line({ functionId: at + 1, line: at + 7 })] }),
    ),
    sample: Array.from({ length: 1 + random.below(20) }, () => {
      const locationId = Array.from({ length: 1 + random.below(5) }, () => 1 + random.below(8));
      const value = types.map(() => random.below(100));
      const label = [new Label({ key: text('thread'), str: text(random.pick(['main', 'worker'])) })];
      return new Sample({ locationId, value, label });
    }),
    stringTable,
    timeNanos,
    durationNanos: 1_000_000_000n,
  }).encode();
}
