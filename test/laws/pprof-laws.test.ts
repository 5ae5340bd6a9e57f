import { collectBytes } from '../../shared/export/export-input.ts';
import { exportPprof } from '../../shared/export/pprof.ts';
import { PPROF } from '../../shared/formats/pprof/format.ts';
import { SAMPLES_AND_TIME } from '../../shared/profile/profile-units.ts';
import { testFormatLaws } from '../support/format-laws.ts';
import { profileFromText } from '../support/profile-from-text.ts';
import { heapProfile } from '../support/small-pprof.ts';

const { profile } = profileFromText(`
  main       main         worker     worker
  Shop.main  Shop.main    Shop.main  Pool.run
  Cart.add   Cart.add:12  Cart.add
`);

testFormatLaws({
  format: PPROF,
  small: [
    heapProfile(),
    collectBytes(
      (sink) => void exportPprof(profile, { units: SAMPLES_AND_TIME, span: { from: 5n, to: 9n } }, sink),
    ),
  ],
  chosen: [{}, { 'sample-type': 'alloc_space' }],
});
