/**
 * Usage: preallocating-writer.mjs SOURCE OUT REGION PAUSE
 *
 * Writes the records of an Honest Profiler log one by one into a file that it keeps REGION bytes of zeros ahead of
 * itself, as writers that map files do, and pauses PAUSE milliseconds after every 20 records.
 */
import { ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

const [source, out, region, pause] = process.argv.slice(2);
const log = readFileSync(source);
const FIXED_BYTES = { 1: 13, 11: 29, 2: 13, 21: 17 };
/** A record of one of the other types is its type, an id, and so many strings. */
const STRINGS = { 3: 3, 31: 6, 4: 1 };

function recordEnd(at) {
  const type = log[at];
  if (type in FIXED_BYTES) return at + FIXED_BYTES[type];
  let end = at + 9;
  for (let string = 0; string < STRINGS[type]; string++) end += 4 + log.readInt32BE(end);
  return end;
}

const clock = new Int32Array(new SharedArrayBuffer(4));
const file = openSync(out, 'w');
let size = Number(region);
ftruncateSync(file, size);
for (let at = 0, record = 0; at < log.length; record++) {
  const end = recordEnd(at);
  while (end > size) ftruncateSync(file, (size += Number(region)));
  writeSync(file, log, at, end - at, at);
  if (record % 20 === 0) Atomics.wait(clock, 0, 0, Number(pause));
  at = end;
}
