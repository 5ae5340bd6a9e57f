import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import {
  chosenThreads,
  onlyThreads,
  selectsThread,
  type ThreadsOfRow,
} from '../../shared/scope/thread-pattern.ts';
import { formatAmount, formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import type { Metric } from '../../shared/engine/values/metric.ts';
import type { ThreadColumns } from '../../shared/engine/values/self-threads.ts';
import type { ThreadsOfLog } from '../profile-worker/mirror-messages.ts';
import { shareCertainty } from '../../shared/engine/columns/precision.ts';
import { parseSearch } from '../../shared/engine/views/search.ts';
import { threadOrder, type ThreadRow, threadRows } from '../../shared/engine/views/thread-list.ts';
import { leaveOutThreads, selectThreads } from '../store/scope-actions.ts';
import { hasSamples, shownMetric, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useIsOpen, useWindow } from '../store/window-store.ts';
import { beginsFind } from '../widgets/key-name.ts';
import { VirtualRows } from '../widgets/VirtualRows.tsx';
import { threadElementId, threadFacts, ThreadLine } from './ThreadLine.tsx';
import { tipOf } from './commands.ts';
import './threads.css';
import { toggleDialog } from '../store/actions.ts';
import { Icon } from '../widgets/icons.tsx';
import { Button } from '../widgets/Button.tsx';
import { Popover } from '../widgets/Popover.tsx';

/** CSS pixels, as in threads.css. */
const ROW_HEIGHT = 26;
/** Rows of the list, of which a low window shows fewer. */
const LEAST_ROWS = 3;
const MOST_ROWS = 14;

/** All threads with their samples, from which those are chosen that the panes look at. */
function ThreadsPanel({ log }: { readonly log: LogView }): ReactNode {
  const preferences = useWindow((state) => state.preferences);
  const { threads } = log;
  if (threads === undefined) {
    return (
      <p className="threads-note" role="status">
        Counting the samples of each thread…
      </p>
    );
  }
  if (threads.names.length === 0) return <p className="threads-note">This log has no threads yet.</p>;
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
  const valueUnit = value?.unit ?? 'ns';
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
    const next = new Set(open);
    if (isOpen) next.add(key);
    else next.delete(key);
    setOpen(next);
  }
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
    const action = listKey(event);
    if (action === undefined || active === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
    switch (action) {
      case 'up':
        return activeAt === 0 ? search.current?.focus() : goTo(activeAt - 1);
      case 'down':
        return goTo(activeAt + 1);
      case 'pageUp':
        return goTo(activeAt - page);
      case 'pageDown':
        return goTo(activeAt + page);
      case 'first':
        return goTo(0);
      case 'last':
        return goTo(rows.length - 1);
      case 'open':
        return active.isPool && !active.isOpen ? setPool(active, true) : undefined;
      case 'close':
        if (active.isPool) return setPool(active, false);
        return active.depth === 0 ? undefined : goTo(rows.findLastIndex(isPoolAbove(activeAt)));
      case 'toggle':
        return toggle(active);
      case 'only':
        return selectThreads(onlyThreads(threadsOf(active)));
      case 'allBut':
        return leaveOutThreads(threadsOf(active));
      case 'all':
        return selectThreads([]);
    }
  }

  return (
    <div className="threads">
      <div className="threads-head">
        <input
          ref={search}
          type="text"
          className="text-field threads-search"
          aria-label="Find threads"
          placeholder="Find threads"
          spellCheck={false}
          autoComplete="off"
          data-testid="threads-search"
          aria-invalid={problem !== undefined}
          title={problem}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>('[role=tree]')?.focus();
            else if (event.key === 'Escape' && text !== '') setText('');
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <label className="threads-pools">
          <input
            type="checkbox"
            checked={groupsPools}
            data-testid="threads-pools"
            onChange={(event) => setGroupsPools(event.target.checked)}
          />
          Pools
        </label>
      </div>
      <div className="threads-head">
        <span className="threads-sum" role="status" data-testid="threads-sum">
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
      <div className="threads-titles">
        <SortTitle text="Thread" isSorted={by === 'name'} onSort={() => sort('name')} />
        <span className="threads-space" />
        {facts.names.map((name) => (
          <span key={name} className="thread-fact">
            {name}
          </span>
        ))}
        <SortTitle
          text={metric === 'time' ? (value?.name ?? 'Time') : counted.many}
          isSorted={by === 'weight'}
          onSort={() => sort('weight')}
        />
      </div>
      <div ref={list} className="threads-rows" style={{ height: listHeight(rows.length) }}>
        <VirtualRows
          total={rows.length}
          rowHeight={ROW_HEIGHT}
          from={0}
          rows={rows}
          renderRow={(row, index, top) => {
            const weight = metric === 'time' ? row.time : row.samples;
            return (
              <ThreadLine
                row={row}
                top={top}
                isActive={index === activeAt}
                checked={checkedOf(row, isChosen)}
                weight={metric === 'time' ? formatAmount(weight, valueUnit) : formatCount(weight)}
                unit={metric === 'time' ? (value?.name.toLowerCase() ?? 'time') : counted.many}
                share={formatShare(weight, whole, 1)}
                certainty={metric === 'time' ? undefined : shareCertainty(weight, whole, units)}
                facts={facts.of(row.names).map((fact, at) => [facts.names[at], fact])}
                bar={whole > 0 ? Math.min(1, Math.max(0, weight / whole)) : 0}
                onToggle={() => {
                  setActiveKey(row.key);
                  toggle(row);
                }}
                onOpen={() => setPool(row, !row.isOpen)}
                onOnly={() => selectThreads(onlyThreads(threadsOf(row)))}
                onAllBut={() => leaveOutThreads(threadsOf(row))}
              />
            );
          }}
          onWindow={noRowsMissing}
          shift={0}
          reveal={reveal}
          active={active && { at: activeAt, elementId: threadElementId(active) }}
          initialPosition={0}
          onPosition={noRowsMissing}
          container={{
            tabIndex: 0,
            role: 'tree',
            'aria-multiselectable': true,
            'aria-label': 'Threads',
            onKeyDown,
          }}
        />
        {rows.length === 0 && <p className="threads-note">No thread has this name.</p>}
      </div>
      <p className="threads-keys">
        <kbd>Space</kbd> choose <kbd>Enter</kbd> only <kbd>Del</kbd> all but <kbd>Ctrl A</kbd> all
      </p>
    </div>
  );

  function sort(next: 'weight' | 'name'): void {
    setBy(next);
    setHeld(undefined);
  }

  function isPoolAbove(at: number): (row: ThreadRow, place: number) => boolean {
    return ({ isPool }, place) => isPool && place < at;
  }
}

/** All rows are here. */
const noRowsMissing = (): void => undefined;

function SortTitle({
  text,
  isSorted,
  onSort,
}: {
  readonly text: string;
  readonly isSorted: boolean;
  readonly onSort: () => void;
}): ReactNode {
  return (
    <button type="button" className="threads-title" aria-pressed={isSorted} onClick={onSort}>
      {text}
    </button>
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

const toggle = (isOpen: boolean): void => toggleDialog('threads', isOpen);

/** The first part of the scope: it opens the list of threads, from which those are chosen that the panes look at. */
export function ThreadsButton({ log }: { readonly log: LogView }): ReactNode {
  const isOpen = useIsOpen('threads');
  return (
    <Popover
      label="Threads"
      isOpen={isOpen}
      onToggle={toggle}
      button={
        <>
          {log.scope.threads.length > 0 ? 'Threads' : 'All threads'}
          <Icon name="down" />
        </>
      }
      buttonClass="scope-root"
      buttonProps={{ 'data-testid': 'threads', 'data-tip': tipOf('threads', 'Choose threads') }}
      isDisabled={!hasSamples(log)}
      panelClass="threads-panel"
      panelTestId="threads-panel"
    >
      {() => <ThreadsPanel log={log} />}
    </Popover>
  );
}

type ListKey =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'first'
  | 'last'
  | 'open'
  | 'close'
  | 'toggle'
  | 'only'
  | 'allBut'
  | 'all';

const KEYS: Readonly<Record<string, ListKey>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
  ArrowRight: 'open',
  ArrowLeft: 'close',
  ' ': 'toggle',
  Enter: 'only',
  Delete: 'allBut',
};

/** The command of a key in the list of threads. */
function listKey(press: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}): ListKey | undefined {
  if (press.altKey) return undefined;
  if (press.ctrlKey || press.metaKey) return press.key.toLowerCase() === 'a' ? 'all' : undefined;
  return Object.hasOwn(KEYS, press.key) ? KEYS[press.key] : undefined;
}
