import { OTLP } from '../../shared/formats/otlp/format.ts';
import { testFormatLaws } from '../support/format-laws.ts';
import { otlpProfile } from '../support/small-otlp.ts';

testFormatLaws({
  format: OTLP,
  small: (['range', 'values', 'links'] as const).map(otlpProfile),
  chosen: [{}, { 'sample-type': 'cpu-nanoseconds' }],
});
