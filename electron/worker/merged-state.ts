import { sampleTypeChoice } from '../../shared/facts/choice.ts';
import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import type { PartFacts } from '../../shared/merge/merged-facts.ts';
import type { LogState, LogStatus } from '../../shared/protocol/messages.ts';

/** A log that is merged; its status is undefined until it has sent one. */
export interface KnownPart {
  readonly name: string;
  readonly status: LogStatus | undefined;
}

const STATE_TEXT: Readonly<Record<LogState, string>> = {
  reading: 'reading',
  live: 'live',
  idle: 'idle',
  waiting: 'waiting',
  gone: 'file gone',
  ended: 'ended',
  damaged: 'damaged',
  full: 'read in part',
  failed: 'failed',
};

/** The first of these that a log has is the state of all: what still happens, then what was lost. */
const ORDER: readonly LogState[] = [
  'reading',
  'live',
  'damaged',
  'idle',
  'ended',
  'full',
  'gone',
  'waiting',
  'failed',
];

/** What nobody needs to be told of. */
const COMPLETE: readonly LogState[] = ['reading', 'live', 'idle', 'ended'];

export function partFacts({ name, status }: KnownPart): PartFacts {
  return {
    name,
    facts: status ?? NO_LOG_FACTS,
    state: status === undefined ? 'opening' : STATE_TEXT[status.state],
  };
}

/**
 * The status of a log that is read again: until its sample types are found in it, they are those of the status before.
 * Otherwise the control that chooses them would go while it is used, and take the focus with it.
 */
export function withSampleTypes(status: LogStatus, before: LogStatus | undefined): LogStatus {
  const known = before && sampleTypeChoice(before.choices);
  const isFound = status.state !== 'reading' || sampleTypeChoice(status.choices) !== undefined;
  return isFound || known === undefined ? status : { ...status, choices: [...status.choices, known] };
}

/** The state of all logs together. Its detail names those that are not complete. */
export function mergedState(
  parts: readonly KnownPart[],
  isFull: boolean,
): Pick<LogStatus, 'state' | 'detail'> {
  const detail = parts.flatMap(partDetail).join(' ');
  const states = new Set(parts.map(({ status }) => status?.state ?? 'reading'));
  const state = isFull ? 'full' : (ORDER.find((each) => states.has(each)) ?? 'reading');
  const full = 'Together these logs have more call nodes than a window holds: only a part is shown.';
  const text = isFull ? `${full} ${detail}`.trimEnd() : detail;
  return { state, detail: text === '' ? undefined : text };
}

/** A sentence for a log that lacks something: 'node2.hpl, file gone: The file was deleted or moved.' */
function partDetail({ name, status }: KnownPart): readonly string[] {
  if (status === undefined || COMPLETE.includes(status.state)) return [];
  const { state, detail } = status;
  return [`${name}, ${STATE_TEXT[state]}${detail === undefined ? '.' : `: ${detail}`}`];
}
