import type { ContextTable } from '../profile/context-table.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import type { ContextScope } from '../scope/scope.ts';
import { ContextOrder } from './contexts/context-test.ts';
import { SamplesByThread, SamplesInScope } from './contexts/samples-in-contexts.ts';
import type { RecordedProfile } from './recorded-profile.ts';
import type { Step } from './steps.ts';
import type { SelfThreads } from './values/self-threads.ts';
import type { TimeOrder } from './values/time-order.ts';

/** Contexts in their order, each with the one around it. */
export const CONTEXT_ORDER: Step<[contexts: ContextTable], ContextOrder> = {
  name: 'order of contexts',
  make: () => new ContextOrder(),
  grow: (result, [contexts]) => result.update(contexts),
  bytes: ({ order }) => 8 * order.length,
};

export const SAMPLES_BY_THREAD: Step<
  [source: RecordedProfile, samples: SampleTable, threads: SelfThreads, order: TimeOrder],
  SamplesByThread
> = {
  name: 'samples by thread',
  make: () => new SamplesByThread(),
  grow: (result, [{ profile }, samples, threads, order]) =>
    result.update(samples, order, threads.of(profile.selfValues), profile.threads.length),
  bytes: ({ rows }) => 4 * rows.length,
};

/** Samples that were taken in some contexts, over the call nodes of all. O(contexts + samples). */
export const IN_CONTEXTS: Step<
  [
    source: RecordedProfile,
    samples: SampleTable,
    byThread: SamplesByThread,
    contexts: ContextTable,
    scope: ContextScope,
  ],
  SamplesInScope
> = {
  name: 'samples in contexts',
  place: 4,
  make: () => new SamplesInScope(),
  grow: (result, [source, samples, byThread, contexts, scope], steps) =>
    result.update(source.values, { samples, byThread, order: steps.get(CONTEXT_ORDER, contexts) }, scope),
  bytes: ({ samples, values }) => 20 * samples.length + 16 * values.count.length,
};
