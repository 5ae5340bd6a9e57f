import { OTLP, OTLP_SERIES } from '../../shared/formats/otlp/format.ts';
import { testFormatLaws } from '../support/format-laws.ts';
import { otlpProfile, otlpSeries } from '../support/small-otlp.ts';
import { stampedOtlp } from '../support/stamped-otlp.ts';

const STAMPED = [
  { thread: 'main', stack: ['b', 'a'], values: [2, 1, 3], stamps: [5_000n, 7_000n, 6_000n] },
  { thread: 'main', stack: ['a'], values: [], stamps: [5_500n, 0n] },
  { thread: 'worker', stack: ['c', 'a'], values: [10], stamps: [9_000n, 8_000n, 7_500n] },
  { thread: 'worker', stack: ['c'], values: [4], stamps: [] },
];

testFormatLaws({
  format: OTLP,
  small: (['range', 'values', 'links'] as const).flatMap((form) => [
    otlpProfile(form),
    stampedOtlp(form, form === 'values' ? 'nanoseconds' : 'count', STAMPED),
  ]),
  chosen: [{}, { 'sample-type': 'cpu-nanoseconds' }],
});

testFormatLaws({
  format: OTLP_SERIES,
  small: [
    otlpSeries([otlpProfile('links'), otlpProfile('range'), otlpProfile('links')]),
    otlpSeries([stampedOtlp('values', 'count', STAMPED), otlpProfile('values')]),
  ],
  chosen: [{}, { 'sample-type': 'cpu-nanoseconds' }],
  resumes: true,
});
