import { type FactTable, factTable, MOST_FACT_ROWS, MOST_THREAD_ROWS } from '../../facts/format-facts.ts';
import type { CallBuilder } from './call-builder.ts';
import type { CallFigures } from './call-figures.ts';
import { MESSAGES } from '../../tptp/messages.ts';
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
