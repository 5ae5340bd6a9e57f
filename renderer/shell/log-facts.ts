import { capitalised } from '../../shared/text/capitalised.ts';
import {
  formatBytes,
  formatCount,
  formatQuantity,
  formatShare,
  formatSpan,
} from '../../shared/text/format-value.ts';
import { errorSamples, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** Part of the sum in the previous fact. */
  readonly isPart?: boolean;
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

/** Known facts about a file's condition and size; unknown ones are left out. */
export function logFacts(log: LogView): readonly Fact[] {
  const { status } = log;
  if (status === undefined) return [];
  const facts: Fact[] = [];
  const add = (name: string, value: string): void => void facts.push({ name, value });
  if (status.formatName !== '') add('Format', status.formatName);
  if (status.damage !== undefined) {
    const { isLimit, what, byteOffset, record, found, expected } = status.damage;
    add(isLimit ? 'Read in part' : 'Damage', what);
    add(
      isLimit ? 'Limit reached after' : 'Damaged at',
      `byte ${formatCount(byteOffset)}, record ${formatCount(record)}`,
    );
    add('Found', found);
    add('Expected', expected);
  }
  const size = status.acceptedBytes + status.skippedBytes + status.pendingBytes;
  add(
    'File',
    `${formatBytes(status.fileBytes)}${status.readBytes < status.fileBytes ? `, ${formatBytes(status.readBytes)} read` : ''}`,
  );
  if (size !== status.fileBytes && size > 0) add('Unpacked', formatBytes(size));
  if (status.acceptedBytes < size)
    add('Used', `${formatBytes(status.acceptedBytes)} (${formatShare(status.acceptedBytes, size, 1)})`);
  if (status.skippedBytes > 0) add('Skipped', formatBytes(status.skippedBytes));
  if (status.pendingBytes > 0) add('Incomplete at the end', formatBytes(status.pendingBytes));
  if (log.summary !== undefined && log.summary.samples > 0) {
    add(capitalised(unitsOf(log).counted.many), formatCount(log.summary.samples));
    add('Threads', formatCount(log.summary.threads));
    add('Methods', formatCount(log.summary.methods));
    add('Call nodes', formatCount(log.summary.nodes));
  }
  if (status.deepestStack > 0) add('Deepest stack', formatQuantity(status.deepestStack, 'frame'));
  if (status.spanNs !== undefined) add('Span', formatSpan(status.spanNs));
  if (status.backwardSteps !== undefined && status.backwardSteps > 0)
    add('Clock steps back', formatCount(status.backwardSteps));
  const errors = errorSamples(log);
  if (errors > 0) {
    add('Samples without a stack', `${formatCount(errors)} (${formatShare(errors, status.samples)})`);
    for (const [code, count] of Object.entries(status.errorSamples)) {
      if (count > 0)
        facts.push({
          name: `${ERROR_CODES[code] ?? 'code'} (${code})`,
          value: formatCount(count),
          isPart: true,
        });
    }
  }
  return facts;
}
