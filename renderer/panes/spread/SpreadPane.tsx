import { type CSSProperties, type KeyboardEvent, memo, type ReactNode, useState } from 'react';
import { LEAST_PARTS, type MethodSpread } from '../../../shared/engine/comparison/spread.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import {
  capitalised,
  formatCount,
  formatQuantity,
  formatShare,
  pointsText,
} from '../../../shared/text/format-value.ts';
import { printable } from '../../../shared/text/printable.ts';
import type { ListedSpread, SpreadPart } from '../../profile-worker/pane-messages.ts';
import { focusPane } from '../../store/actions.ts';
import type { ShownSpread } from '../../store/pane-views.ts';
import { detailOf, unitsOf } from '../../store/selectors.ts';
import { chooseSpread, comparePart, onlyPart } from '../../store/spread-actions.ts';
import { isOnlyPart, partsChoices, shownParts } from '../../store/spread-parts.ts';
import { goToMethod } from '../../store/detail-actions.ts';
import { Button } from '../../widgets/Button.tsx';
import { EmptyState } from '../../widgets/EmptyState.tsx';
import { keyName } from '../../widgets/key-name.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { nameOf as shortName } from '../summary/Findings.tsx';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import { drawsSame, type PaneLog } from '../../store/quiet-log.ts';
import { ROW_HEIGHT } from '../table/rows.ts';
import '../table/table.css';
import './spread.css';

type SpreadLog = PaneLog<'detail' | 'scope' | 'merge'>;

/** Parts that are named for a method. */
const NAMED_PARTS = 3;

/** Which parts of the profile differ: the methods in which they do, or the shares of the selected one. */
export const SpreadPane = memo(
  function SpreadPane({ log }: { readonly log: SpreadLog }): ReactNode {
    const { shown, by, isOfCall } = log.panes.spread;
    const choices = partsChoices(log);
    const parts = shownParts(log);
    const detail = detailOf(log);
    const label = detail?.label;
    /** The method that all methods were shown instead of. */
    const [leftMethod, leaveMethod] = useState<string>();
    const method = label === leftMethod ? undefined : shown?.method;
    const isShown = shown !== undefined && shown.of === parts?.value;
    const back = (): void => leaveMethod(label);
    return (
      <section
        className="pane spread-pane"
        aria-label="Spread"
        data-pane="spread"
        data-testid="pane-spread"
        onFocus={() => focusPane('spread')}
      >
        {parts === undefined ? (
          <EmptyState
            title="Nothing to spread over"
            text="This log has one thread, and no times of samples. Merge logs to see which of them differ."
          />
        ) : (
          <>
            <div className="pane-bar">
              <SegmentedControl
                label="Parts"
                choices={choices}
                value={parts.value}
                onChange={(value) => chooseSpread({ parts: value })}
                testId="spread-parts"
              />
              <SegmentedControl
                label="Shares"
                choices={BY}
                value={by}
                onChange={(value) => chooseSpread({ by: value })}
                testId="spread-by"
              />
              {method !== undefined && detail?.of === 'calls' && (
                <SegmentedControl
                  label="Samples of"
                  choices={OF}
                  value={isOfCall ? 'call' : 'method'}
                  onChange={(value) => chooseSpread({ isOfCall: value === 'call' })}
                  testId="spread-of"
                />
              )}
              <span className="header-note spread-note" role="status" data-testid="spread-note">
                {isShown && (method === undefined ? noteOfAll(shown, parts.text) : noteOf(method, shown))}
              </span>
              {method !== undefined && (
                <Button className="button-small" testId="spread-all" onClick={back}>
                  All methods
                </Button>
              )}
            </div>
            {isShown &&
              (method === undefined ? (
                <Methods shown={shown} onOpen={() => leaveMethod(undefined)} />
              ) : (
                <Parts key={shown.of} log={log} shown={shown} method={method} onBack={back} />
              ))}
          </>
        )}
      </section>
    );
  },
  drawsSame('spread', ['detail', 'scope', 'merge']),
);

const BY = [
  { value: 'self', text: 'Self' },
  { value: 'total', text: 'Total' },
] as const;

const OF = [
  { value: 'method', text: 'Method', hint: 'Wherever the method is called' },
  { value: 'call', text: 'This call', hint: 'Only where it is called as in the selected row, in any thread' },
] as const;

function noteOfAll({ withSamples, methods }: ShownSpread, parts: string): string {
  const count = `${formatCount(withSamples.length)} ${parts.toLowerCase()}`;
  if (withSamples.length < LEAST_PARTS)
    return `${count}: with fewer than ${LEAST_PARTS} none can be told from the others`;
  const differing = methods.filter(({ outliers, step }) => outliers.length > 0 || step !== undefined);
  return `${count} differ in ${differing.length === 0 ? 'no method' : formatQuantity(differing.length, 'method')}`;
}

function noteOf({ median, outliers, step }: MethodSpread, { parts }: ShownSpread): string {
  const out = outliers.length === 0 ? 'none stands out' : `${formatCount(outliers.length)} stand out`;
  const since =
    step === undefined
      ? ''
      : `; since ${nameOf(parts[step.part])} ${formatShare(step.before, 1)} → ${formatShare(step.after, 1)}`;
  return `median ${formatShare(median, 1)}, ${outliers.length === 1 ? '1 stands out' : out}${since}`;
}

function nameOf({ name }: SpreadPart): string {
  return name === '' ? 'without a name' : printable(name);
}

// ---- Methods ----

interface MethodsProps {
  readonly shown: ShownSpread;
  readonly onOpen: () => void;
}

/** The methods whose shares differ most. */
function Methods({ shown, onOpen }: MethodsProps): ReactNode {
  const { methods, parts, more } = shown;
  const most = Math.max(0, ...methods.map((each) => each.most));
  const open = ({ method }: ListedSpread): void => {
    onOpen();
    goToMethod(method);
  };
  return (
    <SpreadRows
      label="Methods that differ"
      titles={['Method', 'Median', 'Least to most', 'Stand out, since']}
      rows={methods}
      onKey={(key, row) => (key === 'Enter' ? () => open(row) : undefined)}
      onOpen={open}
      cells={(row) => [
        <span key="name" title={shownLabel(row.label)}>
          {shortName(row.label)}
        </span>,
        formatShare(row.median, 1),
        <Range key="range" spread={row} most={most} />,
        outText(row, parts),
      ]}
      after={more === 0 ? undefined : `${formatQuantity(more, 'method')} more`}
    />
  );
}

/** The shares of all parts as a line from the least to the most, with a tick at the median. */
function Range({
  spread: { least, median, most: end },
  most,
}: {
  readonly spread: MethodSpread;
  readonly most: number;
}): ReactNode {
  const style = { '--from': least / most, '--to': end / most, '--median': median / most } as CSSProperties;
  return (
    <span
      className="spread-range"
      style={style}
      data-tip={`${formatShare(least, 1)} to ${formatShare(end, 1)}`}
    >
      <i className="spread-line" />
      <i className="spread-median" />
    </span>
  );
}

/** `web7 33.00 % (+31.80), since 12:00` */
function outText({ outliers, step }: MethodSpread, parts: readonly SpreadPart[]): string {
  const told = outliers
    .slice(0, NAMED_PARTS)
    .map(({ part, difference }) => `${nameOf(parts[part])} (${pointsText(difference)})`);
  const rest = outliers.length - told.length;
  const out = `${told.join(', ')}${rest === 0 ? '' : ` and ${formatCount(rest)} more`}`;
  if (step === undefined) return out;
  const since = `since ${nameOf(parts[step.part])}: ${formatShare(step.before, 1)} → ${formatShare(step.after, 1)}`;
  return out === '' ? since : `${since}; ${out}`;
}

// ---- Parts ----

interface PartRow {
  readonly part: SpreadPart;
  readonly share: number;
  readonly outlier: MethodSpread['outliers'][number] | undefined;
  readonly isStep: boolean;
}

interface PartsProps {
  readonly log: SpreadLog;
  readonly shown: ShownSpread;
  readonly method: MethodSpread;
  readonly onBack: () => void;
}

/** The shares of a method in all parts: those that stand out come first, where time gives no order. */
function Parts({ log, shown, method, onBack }: PartsProps): ReactNode {
  const { of } = shown;
  const { inOrder = false, one = 'Part' } = shownParts(log) ?? {};
  const rows = partRows(shown, method, inOrder);
  const { counted } = unitsOf(log);
  const most = Math.max(method.most, 1e-9);
  return (
    <SpreadRows
      label={`Parts of ${shownLabel(method.label)}`}
      titles={[one, 'Share', '', 'From the median', capitalised(counted.many)]}
      rows={rows}
      onKey={(key, { part }, isShifted) =>
        key === 'Backspace'
          ? onBack
          : key === 'Enter'
            ? () => (isShifted ? comparePart : onlyPart)(of, part)
            : undefined
      }
      isMarked={({ part }) => isOnlyPart(log.scope, of, part)}
      cells={({ part, share, outlier, isStep }) => [
        `${nameOf(part)}${isStep ? ' ← changed' : ''}`,
        formatShare(share, 1),
        <span
          key="bar"
          className="spread-bar"
          data-out={outlier && (outlier.difference > 0 ? 'above' : 'below')}
          style={{ '--share': share / most, '--median': method.median / most } as CSSProperties}
        >
          <i className="spread-median" />
        </span>,
        outlier === undefined ? '' : pointsText(outlier.difference),
        formatCount(part.samples),
      ]}
      actions={({ part }) => (
        <>
          <Button
            className="button-small"
            tabIndex={-1}
            testId="spread-only"
            onClick={() => onlyPart(of, part)}
          >
            {isOnlyPart(log.scope, of, part) ? 'All again' : 'Only this'}
          </Button>
          <Button
            className="button-small"
            tabIndex={-1}
            testId="spread-compare"
            onClick={() => comparePart(of, part)}
          >
            Compare with the others
          </Button>
        </>
      )}
    />
  );
}

function partRows(
  { parts, withSamples }: ShownSpread,
  { shares, outliers, step }: MethodSpread,
  inOrder: boolean,
): readonly PartRow[] {
  const rows = withSamples.map((part, at) => ({
    part: parts[part],
    share: shares[at],
    outlier: outliers.find((each) => each.part === part),
    isStep: step?.part === part,
  }));
  if (inOrder) return rows;
  const far = ({ outlier }: PartRow): number => Math.abs(outlier?.difference ?? 0);
  return rows.sort((a, b) => far(b) - far(a) || b.share - a.share);
}

// ---- Rows ----

interface SpreadRowsProps<Row> {
  readonly label: string;
  readonly titles: readonly string[];
  readonly rows: readonly Row[];
  readonly cells: (row: Row) => readonly ReactNode[];
  /** What a key does to the row that is current; undefined: nothing. */
  readonly onKey: (key: string, row: Row, isShifted: boolean) => (() => void) | undefined;
  readonly onOpen?: (row: Row) => void;
  readonly isMarked?: (row: Row) => boolean;
  readonly actions?: (row: Row) => ReactNode;
  readonly after?: string | undefined;
}

/** A table of one line for each row, with a current row that keys move. */
function SpreadRows<Row>(props: SpreadRowsProps<Row>): ReactNode {
  const { label, titles, rows, cells, onKey, onOpen, isMarked, actions, after } = props;
  const [chosen, setChosen] = useState(0);
  const [reveal, setReveal] = useState<{ readonly at: number; readonly start: number }>();
  const current = Math.min(chosen, rows.length - 1);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyName(event);
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
    const to = {
      ...{ ArrowUp: current - 1, ArrowDown: current + 1, Home: 0, End: rows.length - 1 },
      ...{ PageUp: current - page, PageDown: current + page },
    }[key];
    const run = current < 0 ? undefined : onKey(key, rows[current], event.shiftKey);
    if (to === undefined && run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run?.();
    if (to === undefined) return;
    const next = Math.max(0, Math.min(to, rows.length - 1));
    setChosen(next);
    setReveal({ at: next, start: next });
  }

  const idOf = (at: number): string => `spread-row-${at}`;
  return (
    <>
      <div className="table-header spread-row" aria-hidden="true">
        {titles.map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <VirtualRows
        total={rows.length}
        rowHeight={ROW_HEIGHT}
        from={0}
        rows={rows}
        renderRow={(row, at, top) => (
          <div
            id={idOf(at)}
            className="spread-row"
            role="row"
            aria-rowindex={at + 1}
            aria-selected={at === current}
            data-marked={isMarked?.(row) === true ? '' : undefined}
            style={{ top }}
            onMouseDown={() => setChosen(at)}
            onClick={() => onOpen?.(row)}
          >
            {cells(row).map((cell, column) => (
              <span key={titles[column]} role="gridcell" title={typeof cell === 'string' ? cell : undefined}>
                {cell}
              </span>
            ))}
            {actions !== undefined && (
              <span className="spread-actions" role="gridcell">
                {actions(row)}
              </span>
            )}
          </div>
        )}
        onWindow={doNothing}
        shift={0}
        reveal={reveal}
        active={current < 0 ? undefined : { at: current, elementId: idOf(current) }}
        initialPosition={0}
        onPosition={doNothing}
        container={{
          tabIndex: 0,
          role: 'grid',
          'aria-label': label,
          'aria-rowcount': rows.length,
          className: `spread-rows spread-${titles.length}`,
          onKeyDown,
        }}
      />
      {after !== undefined && <p className="header-note spread-more">{after}</p>}
    </>
  );
}

function doNothing(): void {
  // All rows are here, and where they are scrolled to is not kept.
}
