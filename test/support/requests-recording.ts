import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

const golden = (name: string): Buffer =>
  gunzipSync(readFileSync(`test/golden/jfr/requests-jdk25.${name}.gz`));

/** A recording of test/golden/jfr/Requests.java by JDK 25. */
export const REQUESTS = golden('jfr');

/** What the JDK's own `jfr print` says of it. */
export interface PrintedRequests {
  readonly samples: readonly { readonly startTime: string; readonly thread: number; readonly leaf: string }[];
  readonly contexts: readonly {
    readonly event: string;
    readonly startTime: string;
    readonly duration: string;
    readonly thread: number;
    readonly threadName: string;
    readonly id?: string;
    readonly customer?: string;
    readonly attempt?: number;
    readonly operation?: string;
  }[];
}

export const PRINTED = JSON.parse(golden('expected.json').toString()) as PrintedRequests;

interface PrintedContext {
  readonly thread: string | undefined;
  readonly from: bigint;
  readonly to: bigint;
  readonly name: string;
  readonly attributes: readonly string[];
}

/** The printed contexts in the order of the profile, which is that of the file: `jfr print` sorts by their ends. */
export function printedContexts({ threads, samples }: LeanProfile): readonly PrintedContext[] {
  const rows = PRINTED.contexts.map((context): PrintedContext => {
    const { event, id, customer, attempt, operation } = context;
    const from = nsOf(context.startTime);
    const name = operation ?? (event === 'jdk.MethodTrace' ? 'Requests.price()' : 'Trace');
    const attributes =
      id === undefined ? [] : [`Trace.id=${id}`, `customer=${customer}`, `attempt=${attempt}`];
    return { thread: context.threadName, from, to: from + durationOf(context.duration), name, attributes };
  });
  const { contexts } = samples!;
  const { origin = 0n } = contexts;
  const keyOf = (thread: string | undefined, name: string, from: bigint): string =>
    `${thread} ${name} ${from / 10_000n}`;
  const places = new Map<string, number>();
  for (let row = 0; row < contexts.length; row++) {
    const from = origin + BigInt(contexts.from[row]);
    const key = keyOf(threads.name[contexts.thread[row]], contexts.texts[contexts.name[row]], from);
    places.set(key, row);
  }
  const placeOf = ({ thread, name, from }: PrintedContext): number =>
    [from, from - 10_000n, from + 10_000n]
      .map((near) => places.get(keyOf(thread, name, near)))
      .find((place) => place !== undefined) ?? -1;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** `2026-11-28T16:58:47.282608935Z` as ns since 1970. */
export function nsOf(time: string): bigint {
  const [seconds, fraction = ''] = time.replace('Z', '').split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** `PT0.02024786S` in ns. */
function durationOf(text: string): bigint {
  const [, seconds, fraction = ''] = /^PT(\d+)(?:\.(\d+))?S$/.exec(text)!;
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}
