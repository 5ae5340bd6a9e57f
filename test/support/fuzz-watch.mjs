import { Worker } from 'node:worker_threads';

/**
 * The watching thread: saves the input and ends the process when reading the input does not end. A separate thread,
 * because the reader blocks the main one.
 */
const WATCH = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  const { workerData: { state, input, folder, seconds } } = require('node:worker_threads');
  let last = 0;
  let unchanged = 0;
  setInterval(() => {
    unchanged = state[0] === last ? unchanged + 1 : 0;
    last = state[0];
    if (last === 0 || unchanged < seconds) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(folder + '/hangs-' + Date.now(), input.slice(0, state[1]));
    process.kill(process.pid, 'SIGKILL');
  }, 1000);
`;

const LONGEST_INPUT = 1 << 16;

export function watchInputs(folder, seconds) {
  /** How many inputs have been begun, and the length of the latest. */
  const state = new Int32Array(new SharedArrayBuffer(8));
  const current = new Uint8Array(new SharedArrayBuffer(LONGEST_INPUT));
  let watch;
  return {
    begin(input) {
      watch ??= new Worker(WATCH, { eval: true, workerData: { state, input: current, folder, seconds } });
      current.set(input);
      state[1] = input.length;
      Atomics.add(state, 0, 1);
    },
    end: () => void watch?.terminate(),
  };
}
