import { DecoderCode } from '../decoder-code.ts';
import type { ProfileFormat } from '../profile-format.ts';
import { recognisePprof } from './recognise.ts';

const code = new DecoderCode(() => import('./decoder.ts'));

/** Profiles as Go, async-profiler's converter and many agents write them, unpacked (specs: pprof). */
export const PPROF: ProfileFormat = {
  id: 'pprof',
  name: 'pprof profile',
  extensions: ['.pprof', '.pb', '.prof', '.pb.gz'],
  follows: false,
  cannotTell: ['threads, where samples have no label for them', 'when each sample was', 'thread states'],
  recognise: recognisePprof,
  code,
  createDecoder: (sink, chosen) => new code.module.PprofDecoder(sink, chosen),
};
