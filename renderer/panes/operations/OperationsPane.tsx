import { memo, type ReactNode, useMemo } from 'react';
import { changeText, mostlyIn, onCpuText, tellsCpu } from '../../../shared/answers/operations.ts';
import { conditionOf, OPERATION } from '../../../shared/scope/context-condition.ts';
import { capitalised, formatCount, formatSpan } from '../../../shared/text/format-value.ts';
import type { ShownOperations, PaneViews } from '../../store/panes/pane-views.ts';
import { drawsSame } from '../../store/state/quiet-log.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { selectRequests } from '../../store/actions/request-actions.ts';
import { clearScope } from '../../store/actions/scope-actions.ts';
import { EmptyState } from '../../widgets/EmptyState.tsx';
import { Select } from '../../widgets/Select.tsx';
import { type ListColumn, ListTable, type RowAction } from '../table/ListTable.tsx';
import { changeActive } from '../../store/actions/actions.ts';

/** A row, and where something is compared its durations on both sides. */
type Operation = ShownOperations['data']['rows'][number] &
  Partial<NonNullable<ShownOperations['compared']>[number]>;

const seconds = (id: string, title: string, hint: string, of: (row: Operation) => number) => ({
  id,
  title,
  hint,
  width: 76,
  value: of,
  text: (row: Operation): string => formatSpan(of(row) * 1e9),
});

const COLUMNS: readonly ListColumn<Operation>[] = [
  {
    id: 'count',
    title: 'Count',
    hint: 'Requests in the time that is shown',
    width: 68,
    value: ({ count }) => count,
    text: ({ count }) => formatCount(count),
  },
  seconds('p50', 'p50', 'Half of them were at most as long, waiting included', ({ p50 }) => p50),
  seconds('p95', 'p95', 'One in twenty was longer', ({ p95 }) => p95),
  seconds('longest', 'Max', 'The longest of them', ({ longest }) => longest),
  {
    id: 'onCpu',
    title: 'On CPU',
    hint: 'Part of their time in which samples in scope found their threads computing. The rest is waiting, for a processor, too',
    width: 82,
    value: ({ onCpu }) => onCpu ?? -1,
    text: ({ onCpu }) => onCpuText(onCpu),
  },
  {
    id: 'samples',
    title: 'Samples',
    hint: 'Samples in scope that were taken in them',
    width: 82,
    value: ({ samples }) => samples,
    text: ({ samples }) => formatCount(samples),
  },
  {
    id: 'share',
    title: 'Share %',
    width: 112,
    hint: 'Part of all samples in scope. A request inside another one counts for both',
    value: ({ share }) => share,
    text: ({ share }) => (100 * share).toFixed(2),
    bar: ({ share }) => share,
  },
  {
    id: 'hottest',
    title: 'Mostly in',
    hint: 'Where most of their samples ended',
    width: 170,
    value: ({ hottest }) => hottest?.method ?? '',
    text: ({ samples, hottest }) => mostlyIn(samples, hottest),
    isText: true,
  },
];

/** The durations of requests, and the places of their samples: the content of `leanscope operations`. */
export const OperationsPane = memo(function OperationsPane({ log }: { readonly log: LogView }): ReactNode {
  const { shown, by = OPERATION, sort } = log.panes.operations;
  const rows = useMemo(() => (shown === undefined ? NO_ROWS : withSides(shown)), [shown]);
  const columns = shown?.compared !== undefined ? COMPARED : tellsCpu(rows) ? COLUMNS : WITHOUT_CPU;
  const { where = [] } = log.scope.contexts ?? {};

  const actions = ({ name, p95 }: Operation): readonly RowAction[] => [
    {
      text: 'Only these samples',
      button: 'Only',
      hint: 'Enter',
      run: () => selectRequests(by, name, 'all'),
    },
    {
      text: 'Compare the slow ones with the rest',
      button: 'Slow vs rest',
      hint: 'Shift Enter',
      run: () => selectRequests(by, name, 'slow against the rest'),
    },
    {
      text: `Only the slow ones (p95, ${formatSpan(p95 * 1e9)} or longer)`,
      run: () => selectRequests(by, name, 'slow'),
    },
  ];

  return (
    <section
      className="pane operations-pane"
      aria-label="Operations"
      data-pane="operations"
      data-testid="pane-operations"
    >
      <ListTable
        pane="operations"
        label="Operations"
        rows={rows}
        title={by === OPERATION ? 'Operation' : capitalised(by)}
        columns={columns}
        sort={sort}
        onSort={(order) => listOperations({ sort: order })}
        onSelect={(marked) => listOperations({ marked })}
        isInScope={({ name }) => where.includes(conditionOf(by, name))}
        actions={actions}
      />
      {shown !== undefined && rows.length === 0 && (
        <EmptyState
          title="No request is in this scope"
          text="Its time, its threads or its requests leave all of them out."
          action={{ text: 'Show all', run: clearScope }}
        />
      )}
      {shown !== undefined && rows.length > 0 && (
        <p className="list-note">{noteOf(shown, log.baseline?.log !== undefined)}</p>
      )}
    </section>
  );
}, drawsSame('operations'));

/** Without what is not known of any row. */
const WITHOUT_CPU = COLUMNS.filter(({ id }) => id !== 'onCpu');

const changeOf = (of: 'p50' | 'p99', hint: string): ListColumn<Operation> => ({
  id: `${of}-change`,
  title: `${of}, base → new`,
  hint,
  width: 166,
  value: ({ base, next }) => (next?.[of] ?? 0) / (base?.[of] ?? Infinity),
  text: ({ name, base, next }) => ((base ?? next) ? changeText({ name, base, next }, of) : ''),
});

/** Both sides of a comparison. */
const COMPARED: readonly ListColumn<Operation>[] = [
  {
    id: 'count-change',
    title: 'Count',
    hint: 'Requests of the base, and of the new side',
    width: 80,
    value: ({ next }) => next?.count ?? 0,
    text: ({ base, next }) =>
      (base ?? next) ? `${formatCount(base?.count ?? 0)} → ${formatCount(next?.count ?? 0)}` : '',
  },
  changeOf('p50', 'Half of them were at most as long, on the base and on the new side'),
  changeOf('p99', 'One in a hundred was longer, on the base and on the new side'),
  ...COLUMNS.filter(({ id }) => ['samples', 'share', 'hottest'].includes(id)),
];

/** A row of which only the base has requests. */
const ONLY_BASE = {
  ...{ count: 0, total: 0, mean: 0, p50: 0, p95: 0, p99: 0, longest: 0 },
  ...{ onCpu: null, samples: 0, share: 0, hottest: null },
};

/** Rows with both sides of a comparison, and those of the base alone. */
function withSides({ data, compared = [] }: ShownOperations): readonly Operation[] {
  const sides = new Map(compared.map((each) => [each.name, each]));
  const names = new Set(data.rows.map(({ name }) => name));
  const others = compared.filter(({ name }) => !names.has(name));
  return [
    ...data.rows.map((row) => ({ ...row, ...sides.get(row.name) })),
    ...others.map((each) => ({ ...ONLY_BASE, ...each })),
  ];
}

const NO_ROWS: readonly Operation[] = [];

function noteOf(
  { data: { samples, whole, units, leftOut }, compared, hints }: ShownOperations,
  isOfNewLog: boolean,
): string {
  const sentences = [
    ...(compared === undefined ? [] : ['Changes of few requests may be chance']),
    ...(isOfNewLog ? ['Samples are those of this log'] : []),
    `${formatCount(samples)} of ${formatCount(whole)} ${units.counted} are in requests`,
    ...(leftOut === 0 ? [] : [`${formatCount(leftOut)} with fewer are not listed`]),
    ...hints,
  ];
  return sentences.map((sentence) => `${capitalised(sentence)}.`).join(' ');
}

/** The attribute whose values are rows. */
export function OperationsBar({ log }: { readonly log: LogView }): ReactNode {
  const { shown, by = OPERATION } = log.panes.operations;
  const keys = shown?.data.keys ?? [];
  if (keys.length < 2) return null;
  return (
    <Select<string>
      label="By"
      hint="The attribute of requests whose values are rows"
      choices={(keys.includes(by) ? keys : [by, ...keys]).map((key) => ({ value: key, text: key }))}
      value={by}
      onChange={(chosen) => listOperations({ by: chosen, marked: undefined })}
      testId="operations-by"
    />
  );
}

/** Lists the requests of the active log by another attribute, in another order, or with another row selected. */
function listOperations(change: Partial<Pick<PaneViews['operations'], 'by' | 'sort' | 'marked'>>): void {
  changeActive((log) => ({
    ...log,
    panes: { ...log.panes, operations: { ...log.panes.operations, ...change } },
  }));
}
