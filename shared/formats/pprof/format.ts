import type { ProfileFormat } from '../profile-format.ts';
import { PprofDecoder } from './decoder.ts';
import { recognisePprof } from './recognise.ts';

/** Profiles as Go, async-profiler's converter and many agents write them, unpacked (specs: pprof). */
export const PPROF: ProfileFormat = {
  id: 'pprof',
  name: 'pprof profile',
  extensions: ['.pprof', '.pb', '.prof', '.pb.gz'],
  follows: false,
  cannotTell: ['threads, where samples have no label for them', 'when each sample was', 'thread states'],
  recognise: recognisePprof,
  createDecoder: (sink, chosen) => new PprofDecoder(sink, chosen),
};
