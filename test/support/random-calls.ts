import type { CallEvent } from './reference-calls.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type TraceMessage, traceMessage, writeTrace } from './trace-messages.ts';

/** Time 0 of the events, ns since 1970. */
export const CALLS_START = 1_185_890_426_000_000_000n;

/** Mostly orderly calls; some exits are missing, some name no call, some depths are wrong or none. */
export function randomCallEvents(random: SeededRandom): CallEvent[] {
  const events: CallEvent[] = [];
  const open = new Map<number, number[]>();
  const clocks = new Map<number, number>();
  let ticket = 0;
  for (let at = 0; at < 80; at++) {
    const thread = 1 + random.below(3);
    const tickets = open.get(thread) ?? [];
    open.set(thread, tickets);
    // A clock that runs back now and then.
    const time = (clocks.get(thread) ?? 1000) + random.below(100) - (random.below(20) === 0 ? 60 : 0);
    clocks.set(thread, time);
    const what = random.below(20);
    if (what === 0) {
      events.push({ kind: 'end', thread, time });
      tickets.length = 0;
      continue;
    }
    if (what < 10 && tickets.length < 12) {
      if (random.below(8) === 0) tickets.pop();
      tickets.push(++ticket);
      const depth = random.below(6) === 0 ? 0 : tickets.length;
      events.push({ kind: 'entry', thread, method: 1 + random.below(4), ticket, depth, time });
    } else if (random.below(10) === 0) {
      events.push({ kind: 'exit', thread, ticket: 1_000_000 + at, time, cpu: 7 });
    } else {
      const depth = Math.max(0, tickets.length - 1 - random.below(2));
      if (tickets.length === 0) continue;
      events.push({ kind: 'exit', thread, ticket: tickets[depth], time, cpu: random.below(50) });
      tickets.length = depth;
    }
  }
  return events;
}

const METHODS = [1, 2, 3, 4].map((id) =>
  traceMessage('methodDef', { 'Method ID': BigInt(id), Name: String(id) }),
);

function messageOf(event: CallEvent): TraceMessage {
  const common = { 'Thread ID': BigInt(event.thread), Timestamp: CALLS_START + BigInt(event.time) };
  switch (event.kind) {
    case 'entry':
      return traceMessage('methodEntry', {
        ...common,
        'Method ID': BigInt(event.method),
        Ticket: BigInt(event.ticket),
        'Stack depth': BigInt(event.depth),
      });
    case 'exit':
      return traceMessage('methodExit', {
        ...common,
        Ticket: BigInt(event.ticket),
        'Thread CPU time': BigInt(event.cpu),
      });
    case 'end':
      return traceMessage('threadEnd', common);
  }
}

/** The events as a binary trace. */
export function traceOfCalls(events: readonly CallEvent[]): Uint8Array {
  return writeTrace([...METHODS, ...events.map(messageOf)]);
}
