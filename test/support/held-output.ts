const HOLD = `
import fs from 'node:fs';
const { writeSync } = fs;
fs.writeSync = (descriptor, ...rest) => {
  const written = writeSync(descriptor, ...rest);
  if (descriptor > 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return written;
};
`;

/** Arguments of Node with which a program stands still for ever after the first piece that it writes to a file. */
export const HELD_OUTPUT: readonly string[] = [
  '--import',
  `data:text/javascript,${encodeURIComponent(HOLD)}`,
];
