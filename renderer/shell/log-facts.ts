import {
  capitalised,
  formatBytes,
  formatCount,
  formatQuantity,
  formatShare,
  formatSpan,
} from '../../shared/text/format-value.ts';
import type { LogStatus } from '../../shared/protocol/messages.ts';
import { unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/**
 * Known facts about a file's content and size; unknown ones are left out. What it lacks: see `healthOf`. Samples can come
 * before the first status, and a host can end between the two.
 */
export function logFacts(log: LogView): readonly Fact[] {
  const { status } = log;
  const facts: Fact[] = [];
  const add = (name: string, value: string): void => void facts.push({ name, value });
  if (status !== undefined) addFileFacts(status, add);
  if (log.summary !== undefined && log.summary.samples > 0) {
    add(capitalised(unitsOf(log).counted.many), formatCount(log.summary.samples));
    add('Threads', formatCount(log.summary.threads));
    add('Methods', formatCount(log.summary.methods));
    add('Call nodes', formatCount(log.summary.nodes));
  }
  if (status === undefined) return facts;
  if (status.deepestStack > 0) add('Deepest stack', formatQuantity(status.deepestStack, 'frame'));
  if (status.spanNs !== undefined) add('Span', formatSpan(status.spanNs));
  return facts;
}

function addFileFacts(status: LogStatus, add: (name: string, value: string) => void): void {
  if (status.formatName !== '') add('Format', status.formatName);
  const size = status.acceptedBytes + status.skippedBytes + status.pendingBytes;
  add(
    'File',
    `${formatBytes(status.fileBytes)}${status.readBytes < status.fileBytes ? `, ${formatBytes(status.readBytes)} read` : ''}`,
  );
  if (size !== status.fileBytes && size > 0) add('Unpacked', formatBytes(size));
  if (status.acceptedBytes < size)
    add('Used', `${formatBytes(status.acceptedBytes)} (${formatShare(status.acceptedBytes, size, 1)})`);
}
