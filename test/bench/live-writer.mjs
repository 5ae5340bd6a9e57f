/**
 * Appends a prepared log at the pace of a running agent, in a process of its own so that it disturbs nobody:
 *
 *   node live-writer.mjs FROM TO OFFSETS
 *
 * OFFSETS is JSON: the bytes of FROM that have been written by each tick of 10 ms. Prints, as JSON, when each tick's
 * bytes were in the file: milliseconds since the epoch, by the clock that pages have as well.
 */
import { openSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const TICK_MS = 10;
const [from, to, offsetsFile] = process.argv.slice(2);
const log = readFileSync(from);
const offsets = JSON.parse(readFileSync(offsetsFile, 'utf8'));
const file = openSync(to, 'a');
const written = [];
const start = performance.now();
let at = offsets[0];
for (let tick = 1; tick < offsets.length; tick++) {
  const due = start + tick * TICK_MS - performance.now();
  if (due > 0) await pause(due);
  while (at < offsets[tick]) at += writeSync(file, log, at, offsets[tick] - at);
  written.push(performance.timeOrigin + performance.now());
}
process.stdout.write(JSON.stringify(written));
