import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { JFR } from '../../shared/formats/jfr/format.ts';
import { testFormatLaws } from '../support/format-laws.ts';
import { smallFilm } from '../support/recording-film.ts';
import { cpuChunk, measuredChunk, otherChunk } from '../support/small-recordings.ts';

const unfinished = cpuChunk(false);

testFormatLaws({
  format: JFR,
  small: [cpuChunk(), otherChunk(), measuredChunk(), unfinished, smallFilm(cpuChunk())],
  large: [
    Buffer.concat([cpuChunk(), otherChunk(), cpuChunk(), unfinished]),
    Buffer.concat([otherChunk(), smallFilm(cpuChunk()), smallFilm(otherChunk()), cpuChunk()]),
    gunzipSync(readFileSync('test/golden/jfr/shop-jdk17.jfr.gz')),
  ],
  chosen: [
    {},
    { 'sample-type': 'alloc', classes: 'on' },
    { 'sample-type': 'lock' },
    { state: 'STATE_SLEEPING', cut: 'off', period: '10' },
  ],
});
