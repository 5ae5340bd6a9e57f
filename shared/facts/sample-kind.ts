import { sampleTypeChoice } from './choice.ts';
import { valueNoun } from '../profile/profile-units.ts';
import type { LogFacts } from './log-facts.ts';

/**
 * The meaning of the samples of a profile. A first view, a summary and findings depend on it.
 *
 *   cpu           moments at which threads ran
 *   wall          moments at which threads ran or waited
 *   allocations   objects and their bytes
 *   waits         times for which threads waited
 *   calls         calls, all of them, and their time
 *   other         events of which no more is known
 */
export const SAMPLE_KINDS = ['cpu', 'wall', 'allocations', 'waits', 'calls', 'other'] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

type KindFacts = Pick<LogFacts, 'format' | 'units' | 'choices'>;

/** Sample types that are waits. */
const WAITS: readonly string[] = ['lock', 'wait', 'sleep', 'contentions', 'mutex', 'block', 'delay'];
const OBJECTS: readonly string[] = ['byte', 'object', 'allocation'];

export function sampleKind({ format, units, choices }: KindFacts): SampleKind {
  const { counted, value } = units;
  const chosen = sampleTypeChoice(choices)?.chosen ?? '';
  if (value?.unit === 'bytes' || OBJECTS.includes(counted.one)) return 'allocations';
  if (WAITS.includes(chosen) || counted.one === 'contention') return 'waits';
  if (counted.one === 'call') return 'calls';
  if (format === 'thread-dump' || counted.one === 'snapshot' || chosen.startsWith('wall')) return 'wall';
  return counted.one === 'sample' || counted.one === 'nanosecond' ? 'cpu' : 'other';
}

/** The kinds whose values tell more than how many there are: bytes, blocked time, the time of calls. */
const BY_VALUE: readonly SampleKind[] = ['allocations', 'waits', 'calls'];

/** The metric by which these samples tell most: window and commands answer by it first. CPU time, where a file has it, is exact. */
export function firstMetric(facts: KindFacts): 'samples' | 'time' {
  const { value } = facts.units;
  if (value === undefined) return 'samples';
  return BY_VALUE.includes(sampleKind(facts)) || value.name === CPU_TIME ? 'time' : 'samples';
}

/** The name of the value of samples that say how much processor time they stand for. */
export const CPU_TIME = 'CPU time';

/**
 * The samples that say for how long a thread has computed: all, or those that end in no method that waits, each for its
 * value in ns. Or a clause: why none does.
 */
export type ComputingSamples = 'all' | 'running' | { readonly unknown: string };

/** The state of sleeping threads, of which only samples by the wall clock are taken. */
const SLEEPING = 'STATE_SLEEPING';

export function computingSamples(facts: KindFacts): ComputingSamples {
  const { units, choices } = facts;
  const { counted, value } = units;
  if (value?.name === CPU_TIME) return 'all';
  const kind = sampleKind(facts);
  const states = choices.find(({ id }) => id === 'state');
  const hasSleepers = states?.kind === 'one' && states.options.some((option) => option.value === SLEEPING);
  if (kind === 'wall' || hasSleepers)
    return { unknown: 'samples by the wall clock are of threads that run and of threads that wait' };
  if (choices.some(({ id, kind: of }) => id === 'value' && of === 'one') && kind === 'calls')
    return { unknown: 'these times are of the clock, --choose value=cpu shows the CPU times of calls' };
  if (kind !== 'cpu') return { unknown: `${counted.many} do not say it, samples of CPU do` };
  // Merged files have no choices, which would say what was sampled.
  if (sampleTypeChoice(choices)?.chosen !== 'cpu')
    return { unknown: 'it is not known that samples are of threads that run' };
  if (value?.unit === 'ns') return 'running';
  return {
    unknown: 'the recording does not say how long a sample stands for; the reading option Period says it',
  };
}

/** Whether calls have CPU times, which say neither when they began nor how long they took: they are no requests. */
export function haveOnlyCpuTimes({ counted, value }: LogFacts['units']): boolean {
  return counted.one === 'call' && value?.name === CPU_TIME;
}

/** Part of the samples from which on those that wait hide what others do. */
const MANY_WAITS = 0.02;

/** Whether idle threads are in the samples, and hide what others do. */
export function hasIdleThreads(facts: KindFacts & Pick<LogFacts, 'samples' | 'waitingSamples'>): boolean {
  const { samples, waitingSamples, choices } = facts;
  if (waitingSamples > samples * MANY_WAITS) return true;
  // Who sleeps or waits for a signal does nothing else: without them, nothing would be left.
  return sampleKind(facts) === 'wall' || sampleTypeChoice(choices)?.chosen === 'lock';
}

/** The whole of the shares of a kind, as in `62 % of CPU`. `byValue`: of bytes or time, not of what is counted. */
export function wholeText(facts: KindFacts, byValue: boolean): string {
  const { counted, value } = facts.units;
  switch (sampleKind(facts)) {
    case 'cpu':
      // Collapsed stacks do not say what was counted.
      return facts.format === 'collapsed' ? counted.many : 'CPU';
    case 'wall':
      return counted.many;
    case 'allocations':
      return byValue && value !== undefined ? 'bytes' : counted.many;
    case 'waits':
      return byValue && value !== undefined ? `${valueNoun(facts.units)} time` : counted.many;
    case 'calls':
      return byValue ? 'time' : counted.many;
    case 'other':
      return byValue && value !== undefined ? valueNoun(facts.units) : counted.many;
  }
}
