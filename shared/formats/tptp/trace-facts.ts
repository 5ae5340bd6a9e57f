import { noteOf } from '../../facts/losses.ts';
import { type CallPaths, FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { type FactTable, factTable, MOST_FACT_ROWS, MOST_THREAD_ROWS } from '../../facts/format-facts.ts';
import { NONE } from '../../profile/columns.ts';
import { type CallFigures, Figure, type Guesses } from './call-figures.ts';
import { AGENT_CREATE, FILTER, type Message, MESSAGES, NODE, OPTION, PROCESS_CREATE } from './messages.ts';
import type { TraceEvent } from './trace-event.ts';
import type { TraceNames, TraceThreads } from './trace-names.ts';

const FIGURES = Object.values(Figure);
/** Columns in the order of FIGURES. */
const FIGURE_COLUMNS = 'Calls:count | Self:ns | Total:ns | Self CPU:ns | CPU:ns | Shortest:ns | Longest:ns';
const CPU_FIGURES: readonly Figure[] = [Figure.selfCpu, Figure.cpu];
/** Number of callers in the label of a call node. */
const NAMED_CALLERS = 7;

/** Figures of calls, and whether some have a CPU time. */
interface Figures {
  readonly nodes: CallFigures;
  readonly methods: CallFigures;
  readonly hasCpu: boolean;
}

/** The methods with the most self time. Totals count recursive calls once. */
export function methodsTable({ methods, hasCpu }: Figures, names: TraceNames): FactTable | undefined {
  return figuresTable('Methods', 'Method', methods, hasCpu, (row) => methodLabel(names, row));
}

/** The call nodes with the most self time: `Cart.price ← Main.main`. `paths`: those of the sink. */
export function callNodesTable(
  { nodes, hasCpu }: Figures,
  names: TraceNames,
  { nodes: { parent, frame }, frames: { cells } }: CallPaths,
): FactTable | undefined {
  return figuresTable('Call nodes', 'Method ← callers', nodes, hasCpu, (row) => {
    const labels: string[] = [];
    let at = row;
    for (; parent[at] !== NONE && labels.length <= NAMED_CALLERS; at = parent[at])
      labels.push(methodLabel(names, cells[frame[at] * FRAME_CELLS + 1]));
    return labels.join(' ← ') + (parent[at] === NONE ? '' : ' ← …');
  });
}

export function threadsTable({ all }: TraceThreads): FactTable {
  return factTable(
    'Threads',
    'Thread | Id | Group | Parent group | State | Calls:count',
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
  return factTable('Messages', 'Message | Id | Count:count', [
    ...known.map(({ id, name }) => [name, String(id), countOf(id)]),
    ...[...unknown].map(([id, count]) => ['ignored', id, count]),
  ]);
}

/** The rows with calls, the most self time first: those to show. `count`: their number. */
function mostSelf(figures: CallFigures): { readonly rows: number[]; readonly count: number } {
  let count = 0;
  let rows: number[] = [];
  let least = -Infinity;
  const self = (row: number): number => figures.get(row, Figure.self);
  const order = (a: number, b: number): number => self(b) - self(a) || a - b;
  for (let row = 0; row < figures.length; row++) {
    if (figures.get(row, Figure.calls) === 0) continue;
    count++;
    if (self(row) <= least) continue;
    rows.push(row);
    if (rows.length < 4 * MOST_FACT_ROWS) continue;
    rows = rows.sort(order).slice(0, MOST_FACT_ROWS);
    least = self(rows[rows.length - 1]);
  }
  return { rows: rows.sort(order).slice(0, MOST_FACT_ROWS), count };
}

/** A table of the rows with the most self time. */
function figuresTable(
  title: string,
  labels: string,
  figures: CallFigures,
  hasCpu: boolean,
  labelOf: (row: number) => string,
): FactTable | undefined {
  const { rows, count } = mostSelf(figures);
  if (count === 0) return undefined;
  const table = factTable(
    title,
    `${labels} | ${FIGURE_COLUMNS}`,
    rows.map((row) => [
      labelOf(row),
      ...FIGURES.map((figure) =>
        !hasCpu && CPU_FIGURES.includes(figure) ? undefined : figures.get(row, figure),
      ),
    ]),
  );
  return { ...table, leftOut: count - rows.length };
}

function methodLabel({ names }: TraceNames, method: number): string {
  const found = names[method];
  if (found === undefined) return `unknown method ${method}`;
  return found.className === '' ? found.methodName : `${found.className}.${found.methodName}`;
}

/** The property of the trace that a message states. */
interface Property {
  readonly message: Message;
  readonly name: string;
  /** The attributes that are its value. */
  readonly attributes: readonly number[];
}

function property<Name extends string>(
  message: Message<Name>,
  name: string,
  attributes: readonly Name[],
): Property {
  return { message, name, attributes: attributes.map((each) => message.at[each]) };
}

const PROPERTIES: readonly Property[] = [
  property(NODE, 'host', ['hostname', 'ipaddress']),
  property(PROCESS_CREATE, 'process', ['pid', 'applicationExecutable']),
  property(AGENT_CREATE, 'agent', ['agentName', 'version', 'agentParameters']),
  property(OPTION, 'option', ['value']),
  property(FILTER, 'filter', [
    'mode',
    'pattern',
    'genericPattern',
    'methodMode',
    'methodPattern',
    'methodGenericPattern',
  ]),
];

/** The origin of a trace and the settings of its agent. */
export class TraceProperties {
  readonly #rows: (readonly [string, string])[] = [];

  /** Takes any event. */
  take(event: TraceEvent): void {
    const { message } = event;
    const found = PROPERTIES.find((each) => each.message === message);
    if (found === undefined || this.#rows.length === MOST_FACT_ROWS) return;
    const { name, attributes } = found;
    const texts = attributes.map((at) =>
      message.fields[at].type === 'text' ? event.text(at) : String(event.number(at)),
    );
    const what = message === OPTION ? `${name} ${event.text(OPTION.at.key)}` : name;
    this.#rows.push([what, texts.filter((text) => text !== '').join(' ')]);
  }

  /** The table of all properties; `more` rows are appended. */
  table(more: readonly (readonly [string, string])[]): FactTable | undefined {
    const rows = [...this.#rows, ...more];
    if (rows.length === 0) return undefined;
    return factTable('Trace', 'What | Value', rows);
  }
}

/** A sentence for each kind of guess. `unfinishedEvents`: waits and collections without an end. */
export function guessNotes(guesses: Guesses, unfinishedEvents: number, hasAggregated: boolean): string[] {
  const { inferred, unfinished, unknownExits, negative } = guesses;
  return [
    ...noteOf([unfinished, 'call'], 'unfinished: counted until the last event of the thread.'),
    ...noteOf([inferred, 'call'], 'without an exit: counted until a later event shows the end.'),
    ...noteOf([unknownExits, 'exit'], 'of calls that were not open: ignored.'),
    ...noteOf([negative, 'call'], 'with a clock that ran backwards: counted as 0 ns.'),
    ...noteOf(
      [unfinishedEvents, 'wait or collection', 'waits and collections'],
      'without an end: not counted.',
    ),
    ...(hasAggregated
      ? ['The trace does not say whether the shortest and longest call include callees.']
      : []),
  ];
}

/** Unknown kinds that are counted separately; the others share a count. A file could contain any number of kinds. */
const MAX_KINDS = 200;

export function countUnknown(counts: Map<string, number>, kind: string): void {
  const key = counts.has(kind) || counts.size < MAX_KINDS ? kind : 'others';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
