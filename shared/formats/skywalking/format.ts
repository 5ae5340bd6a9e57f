import { DecoderCode } from '../decoder-code.ts';
import type { ProfileFormat } from '../profile-format.ts';
import { recogniseArchive, recogniseSkyWalkingYaml, recogniseThreadSnapshots } from './looks-like.ts';

const archiveCode = new DecoderCode(() => import('./archive-decoder.ts'));
const snapshotsCode = new DecoderCode(() => import('./thread-snapshots-decoder.ts'));
const yamlCode = new DecoderCode(() => import('./yaml-decoder.ts'));

const OF_SNAPSHOTS = [
  'the state of a thread',
  'frames at the root of a stack deeper than the agent keeps (500)',
  'what happened between two snapshots',
];

/** What `profile-exporter.sh` of SkyWalking writes, `{traceId}.tar.gz` (specs: skywalking, section 1). */
export const SKYWALKING_ARCHIVE: ProfileFormat = {
  id: 'skywalking-archive',
  name: 'SkyWalking profile export',
  extensions: ['.tar.gz', '.tgz', '.tar'],
  follows: false,
  cannotTell: [...OF_SNAPSHOTS, 'the last snapshot of a segment, which the exporter leaves out'],
  recognise: recogniseArchive,
  code: archiveCode,
  createDecoder: (sink, chosen) => new archiveCode.module.SkyWalkingArchiveDecoder(sink, chosen),
};

/** What an agent sends, and `snapshot.data` out of an export. */
export const SKYWALKING_SNAPSHOTS: ProfileFormat = {
  id: 'skywalking-snapshots',
  name: 'SkyWalking snapshots',
  extensions: ['.data'],
  follows: false,
  cannotTell: [...OF_SNAPSHOTS, 'spans, and the names of segments where snapshots do not give them'],
  recognise: recogniseThreadSnapshots,
  code: snapshotsCode,
  createDecoder: (sink, chosen) => new snapshotsCode.module.ThreadSnapshotsDecoder(sink, chosen),
};

/** The files that SkyWalking tests its own analyser with. */
export const SKYWALKING_YAML: ProfileFormat = {
  id: 'skywalking-yaml',
  name: 'SkyWalking test case',
  extensions: ['.yml', '.yaml'],
  follows: false,
  cannotTell: [...OF_SNAPSHOTS, 'when it was: the first snapshot is at 0 ms'],
  recognise: recogniseSkyWalkingYaml,
  code: yamlCode,
  createDecoder: (sink, chosen) => new yamlCode.module.SkyWalkingYamlDecoder(sink, chosen),
};
