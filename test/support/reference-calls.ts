/** An event of a trace, as short as can be; times in ns. */
export type CallEvent =
  | {
      readonly kind: 'entry';
      readonly thread: number;
      readonly method: number;
      readonly ticket: number;
      readonly depth: number;
      readonly time: number;
    }
  | {
      readonly kind: 'exit';
      readonly thread: number;
      readonly ticket: number;
      readonly time: number;
      readonly cpu: number;
    }
  | { readonly kind: 'end'; readonly thread: number; readonly time: number };

interface OpenCall {
  readonly path: string;
  readonly number: number;
  readonly ticket: number;
  readonly entry: number;
  inCallees: number;
  cpuInCallees: number;
}

export interface EndedCall {
  readonly path: string;
  /** Calls are numbered as they begin. */
  readonly number: number;
  /** Numbers of the calls that it is inside. */
  readonly around: readonly number[];
  readonly entry: number;
  readonly self: number;
  readonly selfCpu: number;
}

/** calls, self, total, self CPU, CPU. */
export type Figures = readonly [number, number, number, number, number];

/**
 * Call trees by the words of the format's description (specs: tptp, section 5), event by event and without
 * optimisation: tests compare the program's results with them.
 *
 *   '1 > 7 > 8'    [2, 150, 150, 5, 5]      thread 1, method 7 calls method 8
 *
 * `ended` receives every call; those without an exit end with the last event of their thread.
 */
export function referenceCalls(events: readonly CallEvent[], ended: EndedCall[] = []): Map<string, Figures> {
  const nodes = new Map<string, Figures>();
  let numbers = 0;
  const threads = new Map<number, { calls: OpenCall[]; last: number }>();
  const threadOf = (id: number): { calls: OpenCall[]; last: number } => {
    const thread = threads.get(id) ?? { calls: [], last: -Infinity };
    threads.set(id, thread);
    return thread;
  };
  const close = (calls: OpenCall[], time: number, exitCpu?: number): void => {
    const call = calls.pop()!;
    const total = Math.max(0, time - call.entry);
    const self = Math.max(0, time - call.entry - call.inCallees);
    const cpu = exitCpu ?? call.cpuInCallees;
    const old = nodes.get(call.path) ?? [0, 0, 0, 0, 0];
    const gain = [1, self, total, Math.max(0, cpu - call.cpuInCallees), cpu];
    nodes.set(call.path, old.map((figure, at) => figure + gain[at]) as unknown as Figures);
    const around = calls.map(({ number }) => number);
    ended.push({ path: call.path, number: call.number, around, entry: call.entry, self, selfCpu: gain[3] });
    const caller = calls.at(-1);
    if (caller === undefined) return;
    caller.inCallees += total;
    caller.cpuInCallees += cpu;
  };
  for (const event of events) {
    const thread = threadOf(event.thread);
    const { calls } = thread;
    thread.last = Math.max(thread.last, event.time);
    if (event.kind === 'end') {
      while (calls.length > 0) close(calls, event.time);
    } else if (event.kind === 'entry') {
      while (event.depth >= 1 && calls.length >= event.depth) close(calls, event.time);
      const path = `${calls.at(-1)?.path ?? event.thread} > ${event.method}`;
      const { ticket, time: entry } = event;
      calls.push({ path, number: numbers++, ticket, entry, inCallees: 0, cpuInCallees: 0 });
    } else {
      const at = calls.findLastIndex(({ ticket }) => ticket === event.ticket);
      if (at < 0) continue;
      while (calls.length > at + 1) close(calls, event.time);
      close(calls, event.time, event.cpu);
    }
  }
  for (const { calls, last } of threads.values()) while (calls.length > 0) close(calls, last);
  return nodes;
}
