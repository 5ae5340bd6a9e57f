import { memo, type ReactNode } from 'react';
import { mostlyIn, onCpuText, tellsCpu } from '../../../shared/answers/operations.ts';
import { conditionOf, OPERATION } from '../../../shared/scope/context-condition.ts';
import { capitalised, formatCount, formatSpan } from '../../../shared/text/format-value.ts';
import type { ShownOperations } from '../../store/panes/pane-views.ts';
import { drawsSame, type PaneLog } from '../../store/state/quiet-log.ts';
import { listOperations, selectRequests } from '../../store/actions/request-actions.ts';
import { clearScope } from '../../store/actions/scope-actions.ts';
import { EmptyState } from '../../widgets/EmptyState.tsx';
import { Select } from '../../widgets/Select.tsx';
import { type ListColumn, ListTable, type RowAction } from '../table/ListTable.tsx';

type OperationsLog = PaneLog<'scope'>;
type Operation = ShownOperations['data']['rows'][number];

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
export const OperationsPane = memo(
  function OperationsPane({ log }: { readonly log: OperationsLog }): ReactNode {
    const { shown, by = OPERATION, sort } = log.panes.operations;
    const rows = shown?.data.rows ?? NO_ROWS;
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
          columns={tellsCpu(rows) ? COLUMNS : WITHOUT_CPU}
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
  },
  drawsSame('operations', ['scope']),
);

/** Without what is not known of any row. */
const WITHOUT_CPU = COLUMNS.filter(({ id }) => id !== 'onCpu');

const NO_ROWS: readonly Operation[] = [];

function noteOf(
  { data: { samples, whole, units, leftOut }, hints }: ShownOperations,
  isOfNewLog: boolean,
): string {
  const sentences = [
    ...(isOfNewLog ? ['These are the requests in this log'] : []),
    `${formatCount(samples)} of ${formatCount(whole)} ${units.counted} are in requests`,
    ...(leftOut === 0 ? [] : [`${formatCount(leftOut)} with fewer are not listed`]),
    ...hints,
  ];
  return sentences.map((sentence) => `${sentence}.`).join(' ');
}

/** The attribute whose values are rows. */
export function OperationsBar({ log }: { readonly log: OperationsLog }): ReactNode {
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
