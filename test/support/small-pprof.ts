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

/**
 * A profile as Go writes heaps, made by pprof-format: four values a sample, a method inlined into its caller, a location
 * without lines, one that is folded, labels, a comment, a default sample type.
 */
export function heapProfile(): Uint8Array {
  const stringTable = new StringTable();
  const text = (value: string): number => stringTable.dedup(value);
  const type = (name: string, unit: string): ValueType =>
    new ValueType({ type: text(name), unit: text(unit) });
  const label = (key: string, value: string): Label => new Label({ key: text(key), str: text(value) });
  return new Profile({
    sampleType: [
      type('alloc_objects', 'count'),
      type('alloc_space', 'kilobytes'),
      type('inuse_objects', 'count'),
      type('inuse_space', 'bytes'),
    ],
    sample: [
      new Sample({ locationId: [1, 2], value: [4, 8, 1, 512], label: [label('thread', 'main')] }),
      new Sample({ locationId: [3, 2], value: [2, 2, 0, 0], label: [label('thread', '[http tid=7]')] }),
      new Sample({
        locationId: [2],
        value: [1, 1, 1, 64],
        label: [new Label({ key: text('thread_id'), num: 2n ** 40n })],
      }),
      new Sample({ locationId: [2], value: [-1, -1, 0, 0] }),
      new Sample({ locationId: [], value: [1, 1, 1, 1] }),
    ],
    location: [
      // Innermost first: get was inlined into put.
      new Location({
        id: 1,
        line: [new Line({ functionId: 1, line: 12 }), new Line({ functionId: 2, line: 30 })],
      }),
      new Location({ id: 2, line: [new Line({ functionId: 3, line: 65535 })], isFolded: true }),
      new Location({ id: 3, address: 0xbeef }),
    ],
    function: [
      new PprofFunction({ id: 1, name: text('shop.Cart.get'), filename: text('Cart.java') }),
      new PprofFunction({ id: 2, name: text('shop.Cart.put'), filename: text('Cart.java') }),
      new PprofFunction({ id: 3, systemName: text('std::sort(int*, a.b)') }),
    ],
    stringTable,
    timeNanos: 1_700_000_000_000_000_000n,
    durationNanos: 5_000_000_000n,
    defaultSampleType: text('inuse_space'),
    comment: [text('made for a test')],
  }).encode();
}
