import { readFileSync } from 'node:fs';
import { pathOfBytes } from '../source/system-path.ts';

const REPLACEMENT_CHARACTER = '\ufffd';

/**
 * The arguments of this process from `first` on. Node replaces bytes that are not UTF-8; Linux still has them, so that a
 * file with such a name can be opened: see `system-path.ts`.
 */
export function commandArguments(first: number): readonly string[] {
  const decoded = process.argv.slice(first);
  if (!decoded.some((argument) => argument.includes(REPLACEMENT_CHARACTER))) return decoded;
  const raw = rawArguments().slice(-decoded.length);
  return decoded.map((argument, at) => {
    const bytes = raw.at(at);
    return bytes?.toString() === argument ? pathOfBytes(bytes) : argument;
  });
}

/** All arguments as bytes; none where there is no /proc. */
function rawArguments(): readonly Buffer[] {
  let line: Buffer;
  try {
    line = readFileSync('/proc/self/cmdline');
  } catch {
    return [];
  }
  const found: Buffer[] = [];
  // Each argument ends with a zero byte.
  for (let start = 0, end = line.indexOf(0); end >= 0; start = end + 1, end = line.indexOf(0, start)) {
    found.push(line.subarray(start, end));
  }
  return found;
}
