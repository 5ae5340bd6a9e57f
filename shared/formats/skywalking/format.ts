import { DecoderCode } from '../decoder-code.ts';
import type { ProfileFormat } from '../profile-format.ts';
import { recogniseArchive, recogniseThreadSnapshots } from './looks-like.ts';

const archiveCode = new DecoderCode(() => import('./archive-decoder.ts'));
const snapshotsCode = new DecoderCode(() => import('./thread-snapshots-decoder.ts'));

const OF_SNAPSHOTS = [
  'the state of a thread',
  'frames next to the root, in stacks deeper than the limit of the agent (500)',
  'what happened between two snapshots',
];

/** Archives of SkyWalking's `profile-exporter.sh`, `{traceId}.tar.gz` (specs: skywalking, section 1). */
export const SKYWALKING_ARCHIVE: ProfileFormat = {
  id: 'skywalking-archive',
  name: 'SkyWalking profile export',
  listed: { group: 'Traces and dumps', entry: 'SkyWalking' },
  extensions: ['.tar.gz', '.tgz', '.tar'],
  follows: false,
  notRecorded: [...OF_SNAPSHOTS, 'the last snapshot of a segment, which the exporter leaves out'],
  recognise: recogniseArchive,
  code: archiveCode,
  createDecoder: (sink, chosen) => new archiveCode.module.SkyWalkingArchiveDecoder(sink, chosen),
};

/** Snapshots as an agent sends them, and the file `snapshot.data` of an export. */
export const SKYWALKING_SNAPSHOTS: ProfileFormat = {
  id: 'skywalking-snapshots',
  name: 'SkyWalking snapshots',
  listed: { group: 'Traces and dumps', entry: 'SkyWalking' },
  extensions: ['.data'],
  follows: false,
  notRecorded: [...OF_SNAPSHOTS, 'spans', 'names of segments, unless the snapshots contain them'],
  recognise: recogniseThreadSnapshots,
  code: snapshotsCode,
  createDecoder: (sink, chosen) => new snapshotsCode.module.ThreadSnapshotsDecoder(sink, chosen),
};
