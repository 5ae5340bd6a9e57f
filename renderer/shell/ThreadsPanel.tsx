import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Metric } from '../../shared/engine/values/metric.ts';
import type { ThreadColumns } from '../../shared/engine/values/self-threads.ts';
import { parseSearch } from '../../shared/engine/views/search.ts';
import {
  type ListedThread,
  threadOrder,
  type ThreadRow,
  threadRows,
} from '../../shared/engine/views/thread-list.ts';
import {
  chosenThreads,
  onlyThreads,
  selectsThread,
  type ThreadsOfRow,
} from '../../shared/scope/thread-pattern.ts';
import { formatAmount, formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import { rowsKey } from '../panes/pane-keys.ts';
import type { ThreadsOfLog } from '../profile-worker/mirror-messages.ts';
import { placeAfter } from '../profile-worker/pane-messages.ts';
import { toggleDialog } from '../store/actions/actions.ts';
import { leaveOutThreads, selectThreads } from '../store/actions/scope-actions.ts';
import { hasSamples, shownMetric, unitsOf } from '../store/state/selectors.ts';
import type { LogView } from '../store/state/window-state.ts';
import { useIsOpen, useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Check, TextField } from '../widgets/Form.tsx';
import { Icon } from '../widgets/icons.tsx';
import { beginsFind, keyName, take } from '../widgets/key-name.ts';
import { Popover } from '../widgets/Popover.tsx';
import { VirtualRows } from '../widgets/VirtualRows.tsx';
import { tipOf } from './commands.ts';
import { threadFacts } from './thread-facts.ts';
import './threads.css';

/** CSS pixels, as in threads.css. */
const ROW_HEIGHT = 26;
/** Rows of the list, of which a low window shows fewer. */
const LEAST_ROWS = 3;
const MOST_ROWS = 14;

/** The first part of the scope: it opens the list of threads, from which those are chosen that the panes look at. */
export function ThreadsButton({ log }: { readonly log: LogView }): ReactNode {
  return (
    <Popover
      label="Threads"
      isOpen={useIsOpen('threads')}
      onToggle={(isOpen) => toggleDialog('threads', isOpen)}
      button={
        <>
          {log.scope.threads.length > 0 ? 'Threads' : 'All threads'}
          <Icon name="down" />
        </>
      }
      className="scope-root line"
      testId="threads"
      tip={tipOf('threads', 'Choose threads')}
      disabled={!hasSamples(log)}
      panelClass="threads"
      panelTestId="threads-panel"
    >
      {() => <ThreadsPanel log={log} />}
    </Popover>
  );
}

/** All threads with their samples, from which those are chosen that the panes look at. */
function ThreadsPanel({ log }: { readonly log: LogView }): ReactNode {
  const preferences = useWindow((state) => state.preferences);
  const { threads } = log;
  if (threads === undefined)
    return (
      <p className="dim" role="status">
        Counting the samples of each thread…
      </p>
    );
  if (threads.names.length === 0) return <p className="dim">This log has no threads yet.</p>;
  return <ThreadList log={log} columns={threads} metric={shownMetric(log, preferences)} />;
}

interface ThreadListProps {
  readonly log: LogView;
  readonly columns: ThreadsOfLog;
  readonly metric: Metric;
}

function ThreadList({ log, columns, metric }: ThreadListProps): ReactNode {
  const text = useWindow(({ dialog }) => (dialog?.kind === 'threads' ? (dialog.search ?? '') : ''));
  const [groupsPools, setGroupsPools] = useState(true);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [by, setBy] = useState<'weight' | 'name'>('weight');
  const [held, setHeld] = useState<ReadonlyMap<string, number>>();
  const [activeKey, setActiveKey] = useState<string>();
  const [reveal, setReveal] = useState<{ readonly at: number; readonly start: number }>();
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => search.current?.focus(), []);

  const order = useMemo(() => threadOrder(columns, { by, metric }, held), [columns, by, metric, held]);
  if (order !== held) setHeld(order);
  const { problem } = useMemo(() => parseSearch(text.trim()), [text]);
  const { found, typed } = columns;
  const rows = useMemo(() => {
    const matches = found && ((name: string) => found.has(name));
    return threadRows(columns, { groupsPools, open, matches }, order);
  }, [columns, groupsPools, open, found, order]);
  const chosen = log.scope.threads;
  const isChosen = useMemo(() => selectsThread(chosen, typed), [chosen, typed]);
  const matching = useMemo(() => new Set(rows.flatMap(({ names }) => names)), [rows]);

  const isByTime = metric === 'time';
  const whole = useMemo(() => sumOf(columns, metric, () => true), [columns, metric]);
  const chosenCount = columns.names.filter(isChosen).length;
  const chosenShare = formatShare(sumOf(columns, metric, isChosen), whole, 1);
  const { counted, value } = unitsOf(log);
  const weight = isByTime ? (value?.name ?? 'Time') : counted.many;
  const tables = log.status?.tables;
  const factsOf = useMemo(() => threadFacts(tables ?? []), [tables]);
  const activeAt = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeKey),
  );
  const active = rows.at(activeAt);

  function setText(search: string): void {
    useWindow.setState({ dialog: { kind: 'threads', search } });
  }
  function choose(chooses: (name: string) => boolean, mode?: 'list' | 'allBut'): void {
    selectThreads(chosenThreads(columns.names, chooses, mode ?? chosen));
  }
  function toggle({ names }: ThreadRow): void {
    const choosing = !names.every(isChosen);
    choose((name) => (names.includes(name) ? choosing : isChosen(name)));
  }
  function leaveOut(names: ReadonlySet<string>): void {
    const isLeft = (name: string): boolean => isChosen(name) && !names.has(name);
    // As for a single one: where that would leave nothing, it means all others.
    if (columns.names.some(isLeft)) choose(isLeft);
    else choose((name) => !names.has(name), 'allBut');
  }
  const threadsOf = ({ names, isPool }: ThreadRow): ThreadsOfRow => ({
    name: names[0],
    of: isPool ? 'pool' : 'thread',
  });
  const only = (row: ThreadRow): void => selectThreads(onlyThreads(threadsOf(row)));
  const allBut = (row: ThreadRow): void => leaveOutThreads(threadsOf(row));
  function setPool({ key }: ThreadRow, isOpen: boolean): void {
    setOpen(new Set(isOpen ? [...open, key] : [...open].filter((each) => each !== key)));
  }
  /** A title that sorts the rows. */
  const title = (sorts: typeof by, name: string): ReactNode => (
    <button
      type="button"
      className="threads-title"
      aria-pressed={by === sorts}
      onClick={() => {
        setBy(sorts);
        setHeld(undefined);
      }}
    >
      {name}
    </button>
  );
  function goTo(at: number): void {
    setActiveKey(rows.at(at)?.key);
    setReveal({ at, start: at });
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    // The letter is typed where the focus is by then.
    if (beginsFind(event)) {
      search.current?.focus();
      event.stopPropagation();
      return;
    }
    const act = active && actionOf(event, active);
    if (act === undefined) return;
    take(event);
    act();
  }

  /** The action of a key on the row that is active. */
  function actionOf(event: KeyboardEvent<HTMLDivElement>, row: ThreadRow): (() => void) | undefined {
    const { ctrlKey, metaKey, currentTarget } = event;
    const key = keyName(event);
    if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? () => selectThreads([]) : undefined;
    if (key === 'Delete') return () => allBut(row);
    if (key === 'ArrowUp' && activeAt === 0) return () => search.current?.focus();
    const action = rowsKey(key, true);
    if (action?.type === 'open') return () => only(row);
    if (action?.type === 'expand' && action.how === 'toggle') return () => toggle(row);
    if (action?.type !== 'move') return undefined;
    return () => {
      const page = Math.max(1, Math.floor(currentTarget.clientHeight / ROW_HEIGHT) - 1);
      if (action.to === 'childOrExpand') setPool(row, row.isPool);
      else if (action.to !== 'parentOrCollapse') goTo(placeAfter(action.to, activeAt, page, rows.length));
      else if (row.depth === 0) setPool(row, false);
      else goTo(rows.findLastIndex(({ isPool }, at) => isPool && at < activeAt));
    };
  }

  /** A thread or a pool: whether it is chosen, its name, facts about it, its samples and their share. */
  function renderRow(row: ListedThread, at: number, top: number): ReactNode {
    const isActive = at === activeAt;
    const { isPool, label } = row;
    const amount = isByTime ? row.time : row.samples;
    const number = isByTime ? formatAmount(amount, value?.unit ?? 'ns') : formatCount(amount);
    const share = formatShare(amount, whole, 1);
    const facts = [
      ...(row.threads > 1 ? [formatQuantity(row.threads, 'thread')] : []),
      ...factsOf(row.names),
    ];
    const checked = checkedOf(row, isChosen);
    /** The row gets no press of what is in it. */
    const press = (act: (row: ThreadRow) => void) => (event: { stopPropagation: () => void }) => {
      event.stopPropagation();
      act(row);
    };
    return (
      <div
        id={elementId(row)}
        role="treeitem"
        className="thread-row line"
        aria-level={row.depth + 1}
        aria-posinset={row.position}
        aria-setsize={row.siblings}
        aria-checked={checked}
        aria-selected={isActive}
        aria-expanded={isPool ? row.isOpen : undefined}
        aria-description={[...facts, `${number} ${isByTime ? weight.toLowerCase() : weight}`, share].join(
          ', ',
        )}
        data-active={isActive ? '' : undefined}
        style={
          {
            top,
            '--depth': row.depth,
            '--bar': Math.min(1, Math.max(0, amount / whole || 0)),
          } as CSSProperties
        }
        onClick={() => {
          setActiveKey(row.key);
          toggle(row);
        }}
      >
        <span
          className={`twisty${isPool ? (row.isOpen ? ' twisty-open' : '') : ' twisty-none'}`}
          onClick={isPool ? press(() => setPool(row, !row.isOpen)) : undefined}
        />
        <input
          type="checkbox"
          readOnly
          tabIndex={-1}
          aria-hidden="true"
          checked={checked === true}
          ref={(box) => {
            if (box !== null) box.indeterminate = checked === 'mixed';
          }}
        />
        <span className="thread-name cut" title={label}>
          {label}
        </span>
        <span className="grow cut small dim" aria-hidden="true">
          {facts.join(', ')}
        </span>
        <span className="thread-action small mid" aria-hidden="true" onClick={press(only)}>
          Only
        </span>
        <span className="thread-action small mid" aria-hidden="true" onClick={press(allBut)}>
          All but
        </span>
        <span className="numbers" aria-hidden="true">
          {number}
        </span>
        <span className="thread-share numbers" aria-hidden="true">
          {share}
        </span>
      </div>
    );
  }

  return (
    <div className="column">
      <div className="threads-head line">
        <TextField
          ref={search}
          className="grow"
          aria-label="Find threads"
          placeholder="Find threads"
          testId="threads-search"
          aria-invalid={problem !== undefined}
          title={problem}
          value={text}
          onText={setText}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>('[role=tree]')?.focus();
            else if (event.key === 'Escape' && text !== '') setText('');
            else return;
            take(event);
          }}
        />
        <Check checked={groupsPools} testId="threads-pools" onCheck={setGroupsPools}>
          Pools
        </Check>
      </div>
      <div className="threads-head line">
        <span className="threads-sum grow cut mid numbers" role="status" data-testid="threads-sum">
          {chosenCount === columns.names.length
            ? 'All threads'
            : `${formatCount(chosenCount)} of ${formatQuantity(columns.names.length, 'name')} · ${chosenShare} of ${counted.many}`}
        </span>
        {found !== undefined && rows.length > 0 && (
          <>
            <Button className="button-small" onClick={() => choose((name) => matching.has(name), 'list')}>
              Only these
            </Button>
            <Button className="button-small" onClick={() => leaveOut(matching)}>
              All but these
            </Button>
          </>
        )}
        <Button
          className="button-small"
          testId="threads-all"
          disabled={chosen.length === 0}
          onClick={() => selectThreads([])}
        >
          All
        </Button>
      </div>
      <div className="threads-titles line">
        {title('name', 'Thread')}
        <span className="grow" />
        {title('weight', weight)}
      </div>
      <div ref={list} className="threads-rows" style={{ height: listHeight(rows.length) }}>
        <VirtualRows
          total={rows.length}
          rowHeight={ROW_HEIGHT}
          rows={rows}
          renderRow={renderRow}
          reveal={reveal}
          active={active && { at: activeAt, elementId: elementId(active) }}
          container={{
            tabIndex: 0,
            role: 'tree',
            'aria-multiselectable': true,
            'aria-label': 'Threads',
            onKeyDown,
          }}
        />
        {rows.length === 0 && <p className="threads-none dim">No thread has this name.</p>}
      </div>
      <p className="keys small dim">
        <kbd>Space</kbd> choose <kbd>Enter</kbd> only <kbd>Del</kbd> all but <kbd>Ctrl A</kbd> all
      </p>
    </div>
  );
}

function elementId({ key }: ThreadRow): string {
  return `row-of-${encodeURIComponent(key)}`;
}

function checkedOf({ names }: ThreadRow, isChosen: (name: string) => boolean): boolean | 'mixed' {
  const chosen = names.filter(isChosen).length;
  return chosen === names.length ? true : chosen === 0 ? false : 'mixed';
}

function listHeight(rows: number): number {
  return Math.max(LEAST_ROWS, Math.min(rows, MOST_ROWS)) * ROW_HEIGHT;
}

function sumOf(columns: ThreadColumns, metric: Metric, counts: (name: string) => boolean): number {
  const values = metric === 'time' ? columns.time : columns.samples;
  return columns.names.reduce((sum, name, at) => (counts(name) ? sum + values[at] : sum), 0);
}
