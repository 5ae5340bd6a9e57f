import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Metric } from '../../shared/engine/values/metric.ts';
import type { ThreadColumns } from '../../shared/engine/values/self-threads.ts';
import { parseSearch } from '../../shared/engine/views/search.ts';
import { threadOrder, type ThreadRow, threadRows } from '../../shared/engine/views/thread-list.ts';
import {
  chosenThreads,
  onlyThreads,
  selectsThread,
  type ThreadsOfRow,
} from '../../shared/scope/thread-pattern.ts';
import { formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import type { ThreadsOfLog } from '../profile-worker/mirror-messages.ts';
import { toggleDialog } from '../store/actions/actions.ts';
import { leaveOutThreads, selectThreads } from '../store/actions/scope-actions.ts';
import { hasSamples, shownMetric, unitsOf } from '../store/state/selectors.ts';
import type { LogView } from '../store/state/window-state.ts';
import { useIsOpen, useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Check, TextField } from '../widgets/Form.tsx';
import { Icon } from '../widgets/icons.tsx';
import { beginsFind } from '../widgets/key-name.ts';
import { Popover } from '../widgets/Popover.tsx';
import { VirtualRows } from '../widgets/VirtualRows.tsx';
import { tipOf } from './commands.ts';
import { threadElementId, threadFacts, ThreadLine } from './ThreadLine.tsx';
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
      className="scope-root"
      testId="threads"
      tip={tipOf('threads', 'Choose threads')}
      disabled={!hasSamples(log)}
      panelClass="threads-panel"
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

  const whole = useMemo(() => sumOf(columns, metric, () => true), [columns, metric]);
  const chosenCount = columns.names.filter(isChosen).length;
  const chosenShare = formatShare(sumOf(columns, metric, isChosen), whole, 1);
  const units = unitsOf(log);
  const { counted, value } = units;
  const tables = log.status?.tables;
  const facts = useMemo(() => threadFacts(tables ?? []), [tables]);
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
    const next = Math.max(0, Math.min(at, rows.length - 1));
    setActiveKey(rows[next]?.key);
    setReveal({ at: next, start: next });
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
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** The action of a key on the row that is active. */
  function actionOf(event: KeyboardEvent<HTMLDivElement>, row: ThreadRow): (() => void) | undefined {
    const { key, ctrlKey, metaKey, altKey, currentTarget } = event;
    if (altKey) return undefined;
    if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? () => selectThreads([]) : undefined;
    const page = Math.max(1, Math.floor(currentTarget.clientHeight / ROW_HEIGHT) - 1);
    const to = {
      ArrowUp: activeAt - 1,
      ArrowDown: activeAt + 1,
      PageUp: activeAt - page,
      PageDown: activeAt + page,
      Home: 0,
      End: rows.length - 1,
    }[key];
    if (key === 'ArrowUp' && activeAt === 0) return () => search.current?.focus();
    if (to !== undefined) return () => goTo(to);
    switch (key) {
      case 'ArrowRight':
        return () => {
          if (row.isPool && !row.isOpen) setPool(row, true);
        };
      case 'ArrowLeft':
        if (row.isPool) return () => setPool(row, false);
        return () =>
          goTo(row.depth === 0 ? activeAt : rows.findLastIndex(({ isPool }, at) => isPool && at < activeAt));
      case ' ':
        return () => toggle(row);
      case 'Enter':
        return () => selectThreads(onlyThreads(threadsOf(row)));
      case 'Delete':
        return () => leaveOutThreads(threadsOf(row));
    }
    return undefined;
  }

  return (
    <div className="threads">
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
            event.preventDefault();
            event.stopPropagation();
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
        {facts.names.map((name) => (
          <span key={name} className="thread-fact small dim">
            {name}
          </span>
        ))}
        {title('weight', metric === 'time' ? (value?.name ?? 'Time') : counted.many)}
      </div>
      <div ref={list} className="threads-rows" style={{ height: listHeight(rows.length) }}>
        <VirtualRows
          total={rows.length}
          rowHeight={ROW_HEIGHT}
          rows={rows}
          renderRow={(row, index, top) => (
            <ThreadLine
              {...{ row, top, units, whole, facts }}
              isByTime={metric === 'time'}
              isActive={index === activeAt}
              checked={checkedOf(row, isChosen)}
              onToggle={() => {
                setActiveKey(row.key);
                toggle(row);
              }}
              onOpen={() => setPool(row, !row.isOpen)}
              onOnly={() => selectThreads(onlyThreads(threadsOf(row)))}
              onAllBut={() => leaveOutThreads(threadsOf(row))}
            />
          )}
          reveal={reveal}
          active={active && { at: activeAt, elementId: threadElementId(active) }}
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
      <p className="threads-keys small dim">
        <kbd>Space</kbd> choose <kbd>Enter</kbd> only <kbd>Del</kbd> all but <kbd>Ctrl A</kbd> all
      </p>
    </div>
  );
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
