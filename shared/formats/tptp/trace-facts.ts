import { type FactTable, factTable, MOST_FACT_ROWS, MOST_THREAD_ROWS } from '../../facts/format-facts.ts';
import { formatQuantity } from '../../text/format-value.ts';
import type { CallBuilder, Guesses } from './call-builder.ts';
import type { CallFigures } from './call-figures.ts';
import { AGENT_CREATE, FILTER, MESSAGES, NODE, OPTION, PROCESS_CREATE } from './messages.ts';
import type { TraceEvent } from './trace-event.ts';
import type { TraceNames } from './trace-names.ts';
import type { TraceThreads } from './trace-threads.ts';

const FIGURES: FactTable['columns'] = [
  { name: 'Calls', kind: 'count' },
  { name: 'Self', kind: 'ns' },
  { name: 'Total', kind: 'ns' },
  { name: 'Self CPU', kind: 'ns' },
  { name: 'CPU', kind: 'ns' },
  { name: 'Shortest', kind: 'ns' },
  { name: 'Longest', kind: 'ns' },
];
/** Number of callers in the label of a call node. */
const NAMED_CALLERS = 7;

/** The methods with the most self time. Totals count recursive calls once. */
export function methodsTable({ methods, hasCpu }: CallBuilder, names: TraceNames): FactTable | undefined {
  const { rows, count } = mostSelf(methods);
  if (count === 0) return undefined;
  const table = factTable(
    'Methods',
    [{ name: 'Method', kind: 'text' }, ...FIGURES],
    rows.map((row) => [methodLabel(names, row), ...figures(methods, row, hasCpu)]),
  );
  return { ...table, leftOut: count - rows.length };
}

/** The call nodes with the most self time: `Cart.price ← Main.main`. */
export function callNodesTable(builder: CallBuilder, names: TraceNames): FactTable | undefined {
  const { nodes, hasCpu, methodOf, callerOf } = builder;
  const { rows, count } = mostSelf(nodes);
  if (count === 0) return undefined;
  const path = (row: number): string => {
    const labels: string[] = [];
    let at = row;
    for (; at >= 0 && labels.length <= NAMED_CALLERS; at = callerOf[at])
      labels.push(methodLabel(names, methodOf[at]));
    return labels.join(' ← ') + (at >= 0 ? ' ← …' : '');
  };
  const table = factTable(
    'Call nodes',
    [{ name: 'Method ← callers', kind: 'text' }, ...FIGURES],
    rows.map((row) => [path(row), ...figures(nodes, row, hasCpu)]),
  );
  return { ...table, leftOut: count - rows.length };
}

export function threadsTable({ all }: TraceThreads): FactTable {
  return factTable(
    'Threads',
    [
      { name: 'Thread', kind: 'text' },
      { name: 'Id', kind: 'text' },
      { name: 'Group', kind: 'text' },
      { name: 'Parent group', kind: 'text' },
      { name: 'State', kind: 'text' },
      { name: 'Calls', kind: 'count' },
    ],
    all.map(({ name, idText, group, parentGroup, hasEnded, callCount }) => [
      name,
      idText,
      group,
      parentGroup,
      hasEnded ? 'ended' : 'running',
      callCount,
    ]),
    MOST_THREAD_ROWS,
  );
}

/** The number of messages of each type. `unknown` types are named by their ids or element names. */
export function messagesTable(
  countOf: (id: number) => number,
  unknown: ReadonlyMap<string, number>,
): FactTable {
  const known = MESSAGES.filter(({ id }) => countOf(id) > 0);
  return factTable(
    'Messages',
    [
      { name: 'Message', kind: 'text' },
      { name: 'Id', kind: 'text' },
      { name: 'Count', kind: 'count' },
    ],
    [
      ...known.map(({ id, name }) => [name, String(id), countOf(id)]),
      ...[...unknown].map(([id, count]) => ['ignored', id, count]),
    ],
  );
}

function figures(of: CallFigures, row: number, hasCpu: boolean): (number | undefined)[] {
  return [
    of.calls[row],
    of.self[row],
    of.total[row],
    hasCpu ? of.selfCpu[row] : undefined,
    hasCpu ? of.cpu[row] : undefined,
    of.shortest[row],
    of.longest[row],
  ];
}

/** The rows to show: those with calls, the most self time first. `count`: the number of rows with calls. */
function mostSelf({ length, calls, self }: CallFigures): { readonly rows: number[]; readonly count: number } {
  let count = 0;
  let rows: number[] = [];
  let least = -Infinity;
  const order = (a: number, b: number): number => self[b] - self[a] || a - b;
  for (let row = 0; row < length; row++) {
    if (calls[row] === 0) continue;
    count++;
    if (self[row] <= least) continue;
    rows.push(row);
    if (rows.length < 4 * MOST_FACT_ROWS) continue;
    rows = rows.sort(order).slice(0, MOST_FACT_ROWS);
    least = self[rows[rows.length - 1]];
  }
  return { rows: rows.sort(order).slice(0, MOST_FACT_ROWS), count };
}

function methodLabel({ names }: TraceNames, method: number): string {
  const found = names[method];
  if (found === undefined) return `unknown method ${method}`;
  return found.className === '' ? found.methodName : `${found.className}.${found.methodName}`;
}

const FILTER_TEXTS = [
  'mode',
  'pattern',
  'genericPattern',
  'methodMode',
  'methodPattern',
  'methodGenericPattern',
] as const;

/** The origin of a trace and the settings of its agent. */
export class TraceProperties {
  readonly #rows: (readonly [string, string])[] = [];

  take(event: TraceEvent): void {
    if (this.#rows.length === MOST_FACT_ROWS) return;
    switch (event.message) {
      case NODE:
        this.#add('host', joined(event.text(NODE.at.hostname), event.text(NODE.at.ipaddress)));
        break;
      case PROCESS_CREATE:
        this.#add(
          'process',
          joined(
            String(event.number(PROCESS_CREATE.at.pid)),
            event.text(PROCESS_CREATE.at.applicationExecutable),
          ),
        );
        break;
      case AGENT_CREATE:
        this.#add(
          'agent',
          joined(
            event.text(AGENT_CREATE.at.agentName),
            event.text(AGENT_CREATE.at.version),
            event.text(AGENT_CREATE.at.agentParameters),
          ),
        );
        break;
      case OPTION:
        this.#add(`option ${event.text(OPTION.at.key)}`, event.text(OPTION.at.value));
        break;
      case FILTER:
        this.#add('filter', joined(...FILTER_TEXTS.map((name) => event.text(FILTER.at[name]))));
        break;
    }
  }

  /** The table of all properties; `more` rows are appended. */
  table(more: readonly (readonly [string, string])[]): FactTable | undefined {
    const rows = [...this.#rows, ...more];
    if (rows.length === 0) return undefined;
    return factTable(
      'Trace',
      [
        { name: 'What', kind: 'text' },
        { name: 'Value', kind: 'text' },
      ],
      rows,
    );
  }

  #add(what: string, value: string): void {
    this.#rows.push([what, value]);
  }
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

/** A sentence for each kind of guess. `unfinishedEvents`: waits and collections without an end. */
export function guessNotes(guesses: Guesses, unfinishedEvents: number, hasAggregated: boolean): string[] {
  const { inferred, unfinished, unknownExits, negative } = guesses;
  const notes: string[] = [];
  if (unfinished > 0)
    notes.push(
      `${formatQuantity(unfinished, 'call')} unfinished: counted until the last event of the thread.`,
    );
  if (inferred > 0)
    notes.push(
      `${formatQuantity(inferred, 'call')} without an exit: counted until a later event shows the end.`,
    );
  if (unknownExits > 0)
    notes.push(`${formatQuantity(unknownExits, 'exit')} of calls that were not open: ignored.`);
  if (negative > 0)
    notes.push(`${formatQuantity(negative, 'call')} with a clock that ran backwards: counted as 0 ns.`);
  if (unfinishedEvents > 0)
    notes.push(
      `${formatQuantity(unfinishedEvents, 'wait or collection', 'waits and collections')} without an end: not counted.`,
    );
  if (hasAggregated)
    notes.push('The trace does not say whether the shortest and longest call include callees.');
  return notes;
}

/** Unknown kinds that are counted separately; the others share a count. A file could contain any number of kinds. */
const MAX_KINDS = 200;

export function countUnknown(counts: Map<string, number>, kind: string): void {
  const key = counts.has(kind) || counts.size < MAX_KINDS ? kind : 'others';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
