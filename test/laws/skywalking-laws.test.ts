import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { SKYWALKING_ARCHIVE, SKYWALKING_SNAPSHOTS } from '../../shared/formats/skywalking/format.ts';
import { testFormatLaws } from '../support/format-laws.ts';
import { snapshotStream, tarArchive, type WrittenSnapshot } from '../support/skywalking-bytes.ts';

const START = 1_795_174_578_459;

const snapshots = (segmentId: string, stacks: readonly (readonly string[])[]): WrittenSnapshot[] =>
  stacks.map((stack, sequence) => ({ taskId: 't', segmentId, ms: START + sequence * 10, sequence, stack }));

const stacks = [
  ['a.T.run:8', 'a.S.serve:3', 'a.S.read:-2'],
  ['a.T.run:8', 'a.S.serve:3'],
  ['a.T.run:8', 'a.S.serve:3', 'a.L$$Lambda$1/0x7f.x:-1'],
  [],
  ['a.T.run:9'],
];

const basic = `!!org.apache.skywalking.Info
profiledSegmentSpans:
- {segmentId: s, spanId: 0, startTime: ${START}, endTime: ${START + 20}}
segments: [{segmentId: s, maxSequence: 5}]
`;

testFormatLaws({
  format: SKYWALKING_SNAPSHOTS,
  kinds: 3,
  small: [
    snapshotStream([...snapshots('', stacks), ...snapshots('', stacks)]),
    snapshotStream([...snapshots('s.1', stacks), ...snapshots('s.2', stacks).reverse()]),
  ],
  chosen: [{}, { segment: 's.1' }, { segment: '2', limit: '2' }],
  large: [snapshotStream(Array.from({ length: 400 }, () => snapshots('', stacks)).flat())],
});

testFormatLaws({
  format: SKYWALKING_ARCHIVE,
  kinds: 3,
  small: [
    tarArchive([{ name: 'work/snapshot.data', content: snapshotStream(snapshots('', stacks)) }]),
    tarArchive([
      { name: 'work/basic.yml', content: basic },
      {
        name: 'work/snapshot.data',
        content: snapshotStream([...snapshots('', stacks), ...snapshots('', stacks)]),
      },
    ]),
  ],
  chosen: [{}, { span: '1.0', children: 'off' }, { segment: 's' }],
  large: [new Uint8Array(gunzipSync(readFileSync('test/golden/skywalking/export-one-segment.tar.gz')))],
});
