import { DecoderCode } from '../decoder-code.ts';
import type { ProfileFormat } from '../profile-format.ts';
import { recognisePprof } from './recognise.ts';

const code = new DecoderCode(() => import('./decoder.ts'));

/** Unpacked profiles of Go, async-profiler's converter and many agents (specs: pprof). */
export const PPROF: ProfileFormat = {
  id: 'pprof',
  name: 'pprof profile',
  listed: { group: 'Exchange formats', entry: 'pprof' },
  extensions: ['.pprof', '.pb', '.prof', '.pb.gz'],
  follows: false,
  joinsEntries: 'files',
  notRecorded: ['threads, unless samples have a label for them', 'when a sample was taken', 'thread states'],
  recognise: recognisePprof,
  code,
  createDecoder: (sink, chosen) => new code.module.PprofDecoder(sink, chosen),
};
