import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ContextTable } from '../profile/context-table.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import type { ContextScope } from '../scope/scope.ts';
import { Calls, type MethodsOfNodes } from './contexts/calls.ts';
import { contextsInScope } from './contexts/context-test.ts';
import { ContextOrder, type Contexts, PlacedContexts, SamplesByThread } from './contexts/contexts.ts';
import { DurationRows } from './views/duration-columns.ts';
import { ProfileByContext, valuesOfSamples } from './contexts/profile-by-context.ts';
import { SamplesInScope } from './contexts/samples-in-contexts.ts';
import { RecordedProfile } from './recorded-profile.ts';
import { KeyTable } from './trees/keys.ts';
import { type NodeIds, preOrder } from './trees/row-tree.ts';
import type { Step } from './steps.ts';
import type { SelfThreads } from './values/self-threads.ts';
import type { TimeOrder } from './values/time-order.ts';

/** Contexts in their order, each with the one around it. */
const CONTEXT_ORDER: Step<[contexts: ContextTable], ContextOrder> = {
  name: 'order of contexts',
  make: () => new ContextOrder(),
  grow: (result, [contexts]) => result.update(contexts),
  bytes: ({ order }) => 8 * order.length,
};

/** Contexts of a scope. O(contexts + samples), a sort for the slowest. */
export const MEANT_CONTEXTS: Step<
  [samples: SampleTable, contexts: Contexts, scope: ContextScope],
  { isIn: Uint8Array }
> = {
  name: 'contexts in scope',
  place: 2,
  make: () => ({ isIn: new Uint8Array(0) }),
  grow(result, [samples, contexts, scope]) {
    result.isIn = contextsInScope(samples, contexts, scope);
  },
  bytes: ({ isIn }) => isIn.length,
};

/** The row of each context among durations. */
export const DURATION_ROWS: Step<[contexts: Contexts], DurationRows> = {
  name: 'rows of durations',
  make: () => new DurationRows(),
  grow: (result, [{ table }]) => result.update(table),
  bytes: ({ row }) => row.length,
};

/** `order`: undefined where samples stay in the order of the file. */
export const SAMPLES_BY_THREAD: Step<
  [source: RecordedProfile, samples: SampleTable, threads: SelfThreads, order: TimeOrder | undefined],
  SamplesByThread
> = {
  name: 'samples by thread',
  make: () => new SamplesByThread(),
  grow: (result, [source, samples, threads, order]) =>
    result.update(
      samples,
      order,
      source.threadsRead(threads.of(source.profile.selfValues)),
      source.read.threads.length,
    ),
  bytes: ({ rows }) => 4 * rows.length,
};

/** The contexts that a file tells of, and the samples in each. O(contexts log contexts + contexts log samples). */
export const PLACED_CONTEXTS: Step<
  [table: ContextTable, samples: SampleTable, byThread: SamplesByThread],
  PlacedContexts
> = {
  name: 'samples of contexts',
  make: ([table]) => new PlacedContexts(table),
  grow: (result, [table, samples, byThread], steps) =>
    result.update(steps.get(CONTEXT_ORDER, table), samples, byThread),
  bytes: ({ first }) => 8 * first.length,
};

/** Samples that are calls as contexts. O(samples + call nodes). */
export const CALLS: Step<[source: RecordedProfile, samples: SampleTable, byThread: SamplesByThread], Calls> =
  {
    name: 'calls',
    make: () => new Calls(),
    grow: (result, [{ profile }, samples, byThread]) =>
      result.update(profile, samples, byThread, methodsOfNodes(profile)),
    bytes: ({ first }) => 48 * first.length,
  };

function methodsOfNodes(profile: LeanProfile): MethodsOfNodes {
  const keys = new KeyTable(profile, 'fqmn');
  keys.update();
  const { nodes } = profile;
  const { order, sizes } = preOrder(nodes);
  const outermost = new Int32Array(nodes.length).fill(NONE);
  /** Method -> the place after the calls inside its outermost one. */
  const coveredTo = new Int32Array(keys.length);
  for (let at = 0; at < order.length; at++) {
    const node = order[at];
    if (nodes.parent[node] === NONE) continue;
    const method = keys.ofFrame[nodes.frame[node]];
    if (at < coveredTo[method]) continue;
    coveredTo[method] = at + sizes[node];
    outermost[node] = method;
  }
  return { labels: keys.labels, outermost };
}

/** A profile whose threads are told apart by an attribute of their contexts. O(contexts log contexts + samples). */
export const BY_CONTEXT: Step<
  [source: RecordedProfile, samples: SampleTable, contexts: Contexts, key: string],
  RecordedByContext
> = {
  name: 'profile by context',
  make: ([{ profile }, samples]) => new RecordedByContext(new ProfileByContext(profile, samples), profile),
  grow: (result, [, samples, contexts, key]) =>
    result.update(samples, valuesOfSamples(samples, contexts, key)),
  bytes: ({ profile, read }) =>
    9 * profile.nodes.length + 28 * profile.selfValues.length + 8 * read.nodes.length,
};

/** Samples that were taken in some contexts, over the call nodes of all. O(contexts + samples). */
export const IN_CONTEXTS: Step<
  [source: RecordedProfile, samples: SampleTable, contexts: Contexts, scope: ContextScope],
  SamplesInScope
> = {
  name: 'samples in contexts',
  place: 3,
  make: () => new SamplesInScope(),
  grow(result, [{ values }, samples, contexts, scope], steps) {
    const meant = (of: ContextScope): Uint8Array => steps.get(MEANT_CONTEXTS, samples, contexts, of).isIn;
    result.update(values, samples, contexts, meant(scope), scope.except && meant(scope.except));
  },
  bytes: ({ samples, isIn, values }) => 20 * samples.length + isIn.length + 16 * values.count.length,
};

/** Added to the identities of call nodes, so that they are none of the profile that was read. No profile has as many. */
const FIRST_ID = 0x10000000;

class RecordedByContext extends RecordedProfile {
  override readonly ids: NodeIds = {
    idOf: (node) => node + FIRST_ID,
    nodeOf: (id) => (id < FIRST_ID ? NONE : id - FIRST_ID),
  };
  override readonly read: LeanProfile;
  readonly #made: ProfileByContext;

  constructor(made: ProfileByContext, read: LeanProfile) {
    super(made.profile);
    this.read = read;
    this.#made = made;
  }

  update(samples: SampleTable, value: Int32Array): void {
    this.#made.update(samples, value);
    this.grew();
    this.begin();
  }

  override threadsRead(threads: Int32Array): Int32Array {
    return threads.map((thread) => this.#made.threadRead[thread]);
  }
}
