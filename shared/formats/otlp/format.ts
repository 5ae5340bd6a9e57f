import { type ProfileFormat } from '../profile-format.ts';
import { recogniseOtlp, recogniseOtlpSeries } from './recognise.ts';
import { OtlpDecoder, OtlpSeriesDecoder } from './decoder.ts';

const NOT_RECORDED = [
  'when a sample was taken, unless samples have time stamps',
  'threads, unless samples have the attribute thread.name',
  'whether a stack was truncated',
];

/** Profiles of OpenTelemetry (opentelemetry-proto, profiles/v1development), as async-profiler writes them. */
export const OTLP: ProfileFormat = {
  id: 'otlp',
  name: 'OpenTelemetry profile',
  listed: { group: 'Exchange formats', entry: 'OpenTelemetry' },
  extensions: ['.otlp', '.pb'],
  follows: false,
  joinsEntries: 'files',
  notRecorded: NOT_RECORDED,
  recognise: recogniseOtlp,
  createDecoder: (sink, chosen) => new OtlpDecoder(sink, chosen),
};

/** Messages after each other, each behind its length, as collectors write them into a file, and `leanscope serve` collects them. */
export const OTLP_SERIES: ProfileFormat = {
  id: 'otlp-series',
  name: 'OpenTelemetry series',
  listed: OTLP.listed,
  extensions: ['.otlp', '.binpb'],
  follows: true,
  notRecorded: NOT_RECORDED,
  recognise: recogniseOtlpSeries,
  createDecoder: (sink, chosen) => new OtlpSeriesDecoder(sink, chosen),
};
