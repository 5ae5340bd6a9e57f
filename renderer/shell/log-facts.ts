import { formatBytes, formatCount, formatShare, formatSpan } from '../../shared/text/format-value.ts';
import { errorSamples } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** AsyncGetCallTrace's codes for samples without a stack, in words. */
const ERROR_CODES: Readonly<Record<string, string>> = {
  '0': 'no Java frames',
  '-1': 'no class load events',
  '-2': 'garbage collection',
  '-3': 'unknown, not Java',
  '-4': 'not walkable, not Java',
  '-5': 'unknown, Java',
  '-6': 'not walkable, Java',
  '-7': 'unknown state',
  '-8': 'thread exit',
  '-9': 'deoptimization',
  '-10': 'safepoint',
};

/** What is known about a log's state and health, for the chip's details. */
export function logFacts(log: LogView): readonly Fact[] {
  const { status } = log;
  if (status === undefined) return [];
  const facts: Fact[] = [];
  const add = (name: string, value: string): void => void facts.push({ name, value });
  if (status.detail !== undefined) add('Why', status.detail);
  if (status.formatName !== '') add('Format', status.formatName);
  if (status.damage !== undefined) {
    const { what, byteOffset, record, found, expected } = status.damage;
    add('Damage', what);
    add('At', `byte ${formatCount(byteOffset)}, record ${formatCount(record)}`);
    add('Found', found);
    add('Expected', expected);
  }
  const size = status.acceptedBytes + status.skippedBytes + status.pendingBytes;
  add(
    'File',
    `${formatBytes(status.fileBytes)}${status.readBytes < status.fileBytes ? `, ${formatBytes(status.readBytes)} read` : ''}`,
  );
  if (size !== status.fileBytes && size > 0) add('Unpacked', formatBytes(size));
  add('Used', `${formatBytes(status.acceptedBytes)} (${formatShare(status.acceptedBytes, size, 1)})`);
  if (status.skippedBytes > 0) add('Skipped', formatBytes(status.skippedBytes));
  if (status.pendingBytes > 0) add('Incomplete at the end', formatBytes(status.pendingBytes));
  add('Call nodes', formatCount(status.nodes));
  add('Deepest stack', `${formatCount(status.deepestStack)} frames`);
  if (status.spanNs !== undefined) add('Span', formatSpan(status.spanNs));
  if (status.backwardSteps !== undefined && status.backwardSteps > 0)
    add('Clock steps backwards', formatCount(status.backwardSteps));
  const errors = errorSamples(log);
  if (errors > 0) {
    add('Samples without a stack', `${formatCount(errors)} (${formatShare(errors, status.samples)})`);
    for (const [code, count] of Object.entries(status.errorSamples)) {
      if (count > 0) add(`  ${ERROR_CODES[code] ?? 'code'} (${code})`, formatCount(count));
    }
  }
  return facts;
}
