import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { shownLabel } from '../../shared/text/format-frame.ts';
import { formatCount, formatQuantity, formatRate } from '../../shared/text/format-value.ts';
import type { RecentlyGrown } from '../../shared/engine/views/recent-methods.ts';
import type { Selection } from '../profile-worker/pane-messages.ts';
import { copyText, select, toggleDialog } from '../store/actions.ts';
import { enterDetail, methodEntries } from '../panes/rows/open-row.ts';
import { scopeEntries, scopeKey } from '../panes/scope-entries.ts';
import { isConnected, isFrozen, mayGrow, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useIsOpen, useWindow } from '../store/window-store.ts';
import { Menu, type MenuEntry } from '../widgets/Menu.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { averageRate } from './scope-numbers.ts';
import { tipOf } from './commands.ts';
import './recent.css';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { stateText } from './log-state.ts';

/** The methods that grew most in the last half minute, the fastest first. */
function RecentPanel({ log }: { readonly log: LogView }): ReactNode {
  const [by, setBy] = useState<'self' | 'total'>('self');
  const [isHeld, setHeld] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const connected = useWindow((state) => isConnected(state, log));
  /** Rows keep their order under the pointer and while one has the focus. */
  const [order, setOrder] = useState<readonly number[]>([]);
  const { scope } = log;
  // Growth that was measured before is of other samples.
  const recent = scope.range?.kind === 'latest' ? undefined : log.recent;
  const rows = recentRows(recent, by, isHeld ? order : []);
  const ids = rows.map(({ id }) => id);
  if (ids.join() !== order.join()) setOrder(ids);
  const { counted } = unitsOf(log);
  const average = averageRate(log);
  const quiet = quietText(log, connected);
  const most = Math.max(0, ...rows.map((row) => row[by]));
  const [menu, setMenu] = useState<OpenMenu>();
  const closeMenu = useCallback(() => setMenu(undefined), []);

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons.at(at < 0 ? 0 : Math.max(0, Math.min(buttons.length - 1, at + step)))?.focus();
  }

  return (
    <div className="recent" onKeyDown={onKeyDown}>
      <div className="recent-head">
        <h2>Hot now</h2>
        <SegmentedControl
          label="What grew"
          choices={[
            { value: 'self', text: 'Self' },
            { value: 'total', text: 'Total' },
          ]}
          value={by}
          onChange={setBy}
        />
      </div>
      <p className="recent-sum" role="status" data-testid="recent-sum">
        {quiet ?? sumText(recent, counted)}
        {average !== undefined && <> · {formatRate(average)} on average</>}
      </p>
      {rows.length > 0 && (
        <ol
          ref={list}
          className="recent-rows"
          aria-label="Methods that grew most"
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          {rows.map((row, at) => (
            <RecentLine key={row.id} row={row} by={by} most={most} isFirst={at === 0} onMenu={setMenu} />
          ))}
        </ol>
      )}
      {menu !== undefined && (
        <Menu
          label={`Actions for ${shownLabel(menu.row.label)}`}
          entries={menuEntries(menu.row)}
          at={menu}
          onClose={closeMenu}
        />
      )}
    </div>
  );
}

/** Position of the open menu, CSS pixels, and its row. */
interface OpenMenu {
  readonly row: RecentMethod;
  readonly x: number;
  readonly y: number;
}

function methodOf({ id, label, kind }: RecentMethod): Selection {
  return { of: 'methods', id, label, kind };
}

function menuEntries(row: RecentMethod): readonly MenuEntry[] {
  return [
    ...methodEntries(methodOf(row)),
    'separator',
    ...scopeEntries(row),
    'separator',
    { text: 'Copy name', run: () => void copyText(shownLabel(row.label)) },
  ];
}

interface RecentLineProps {
  readonly row: RecentMethod;
  readonly by: 'self' | 'total';
  readonly most: number;
  readonly isFirst: boolean;
  readonly onMenu: (menu: OpenMenu) => void;
}

/** Selects its method in all panes; a double click or Enter opens its callers and callees. */
function RecentLine({ row, by, most, isFirst, onMenu }: RecentLineProps): ReactNode {
  const { id, label } = row;
  const method = methodOf(row);
  const isSelected = useWindow(({ logs, active }) => {
    const selection = logs.find(({ key }) => key === active)?.selection;
    return selection?.of === 'methods' && selection.id === id;
  });

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const changeScope = scopeKey(event.key, row);
    const isMenuKey = event.key === 'F10' && event.shiftKey;
    if (event.key !== 'Enter' && !isMenuKey && changeScope === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (changeScope !== undefined) return changeScope();
    select(method);
    if (!isMenuKey) return enterDetail(method);
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    onMenu({ row, x: left, y: bottom });
  }

  return (
    <li>
      <button
        type="button"
        tabIndex={isFirst ? 0 : -1}
        aria-pressed={isSelected}
        title={label}
        style={{ ['--bar' as string]: most > 0 ? row[by] / most : 0 }}
        onClick={() => select(method)}
        onDoubleClick={() => enterDetail(method)}
        onContextMenu={(event) => {
          event.preventDefault();
          select(method);
          onMenu({ row, x: event.clientX, y: event.clientY });
        }}
        onKeyDown={onKeyDown}
      >
        <span className="recent-name">
          <span>{label}</span>
        </span>
        <span className="recent-rate">
          {formatRate(row.perSecond[by])}
          <span className="unseen">, </span>
        </span>
        <span className="recent-count">+{formatCount(row[by])}</span>
      </button>
    </li>
  );
}

function sumText(
  recent: RecentlyGrown | undefined,
  counted: { readonly one: string; readonly many: string },
): string {
  const { seconds, samples } = recent ?? { seconds: 0, samples: 0 };
  const rate = formatRate(samples / seconds);
  return `${formatQuantity(samples, counted.one, counted.many)} in the last ${Math.round(seconds)} s · ${rate}`;
}

const toggle = (isOpen: boolean): void => toggleDialog('recent', isOpen);

/** Opens the list of what grew most of late. Only for a log that has grown while the window was open, and has not ended. */
export function RecentChip({ log }: { readonly log: LogView }): ReactNode {
  const isOpen = useIsOpen('recent');
  if ((!log.hasGrown || log.status?.state === 'ended') && !isOpen) return null;
  return (
    <Popover
      label="Hot now"
      isOpen={isOpen}
      onToggle={toggle}
      button={
        <>
          <Icon name="growth" />
          Hot now
        </>
      }
      buttonClass="chip"
      buttonProps={{
        'aria-label': 'Hot now',
        'data-testid': 'recent',
        'data-tip': tipOf('recent', 'Methods that grew most in the last 30 s'),
      }}
      panelClass="recent-panel"
      panelTestId="recent-panel"
    >
      {() => <RecentPanel log={log} />}
    </Popover>
  );
}

type Method = RecentlyGrown['methods'][number];

interface RecentMethod extends Method {
  readonly perSecond: { readonly self: number; readonly total: number };
}

const MOST_ROWS = 15;

/**
 * The methods that grew most, by their own samples or by all. Those in `held`, ids, keep their order, and the others
 * follow.
 */
export function recentRows(
  recent: RecentlyGrown | undefined,
  by: 'self' | 'total',
  held: readonly number[],
): readonly RecentMethod[] {
  if (recent === undefined || recent.seconds === 0) return [];
  const { seconds, methods } = recent;
  const other = by === 'self' ? 'total' : 'self';
  const places = new Map(held.map((id, at) => [id, at]));
  const placeOf = ({ id }: Method): number => places.get(id) ?? held.length;
  return methods
    .filter((method) => method[by] > 0)
    .toSorted((a, b) => b[by] - a[by] || b[other] - a[other] || (a.label < b.label ? -1 : 1))
    .slice(0, MOST_ROWS)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((method) => ({
      ...method,
      perSecond: { self: method.self / seconds, total: method.total / seconds },
    }));
}

/** Why there is nothing to list; undefined where there is. */
export function quietText(log: LogView, isConnected: boolean): string | undefined {
  const { recent, scope } = log;
  if (isFrozen(log)) return 'The view is frozen. Resume to measure what grows.';
  if (!isConnected) return 'Not connected: nothing new arrives.';
  if (!mayGrow(log)) {
    const { text } = stateText(log);
    return text.startsWith('reading')
      ? 'What was written earlier is still being read.'
      : `This log does not grow any more: ${text}.`;
  }
  if (scope.range?.kind === 'latest')
    return 'Not measured while only the latest samples are looked at: follow all of them.';
  if (recent === undefined || recent.seconds === 0) return 'Measuring…';
  if (recent.samples <= 0 && recent.methods.length === 0)
    return `Nothing ran in the last ${Math.round(recent.seconds)} s.`;
  return undefined;
}
