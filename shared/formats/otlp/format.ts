import { DecoderCode } from '../decoder-code.ts';
import type { ProfileFormat } from '../profile-format.ts';
import { recogniseOtlp } from './recognise.ts';

const code = new DecoderCode(() => import('./decoder.ts'));

/** Profiles of OpenTelemetry (opentelemetry-proto, profiles/v1development), as async-profiler writes them. */
export const OTLP: ProfileFormat = {
  id: 'otlp',
  name: 'OpenTelemetry profile',
  listed: { group: 'Exchange formats', entry: 'OpenTelemetry' },
  extensions: ['.otlp', '.pb'],
  follows: false,
  notRecorded: [
    'when a sample was taken, unless samples have time stamps',
    'threads, unless samples have the attribute thread.name',
    'whether a stack was truncated',
  ],
  recognise: recogniseOtlp,
  code,
  createDecoder: (sink, chosen) => new code.module.OtlpDecoder(sink, chosen),
};
