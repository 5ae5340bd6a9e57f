import { type ReactNode, useCallback, useState } from 'react';
import {
  type DurationColumns,
  leastOfRow,
  ROWS_OF_DECADE,
  rowOfDuration,
} from '../../../shared/engine/views/duration-columns.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { durationText, parseCondition } from '../../../shared/scope/context-condition.ts';
import type { ContextScope, NsSpan } from '../../../shared/scope/scope.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import { changeContexts } from '../../store/actions/request-actions.ts';
import { zoomTimeline } from '../../store/actions/time-actions.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import type { PointerPlace } from '../../widgets/Tooltip.tsx';
import type { DrawingSize } from '../use-drawing.ts';
import { useDayTime } from './AxisLabels.tsx';
import { CellGrid, CellLegend } from './CellGrid.tsx';
import { drawHeatmap } from './heatmap-drawing.ts';
import { cellAfterKey } from './timeline-keys.ts';
import { intervalOf, timeText } from './timeline-geometry.ts';
import './durations.css';

/** The height is about this, and that of a row at least so much, CSS pixels. */
const HEIGHT = 96;
const LEAST_ROW = 2;
/** Least distance between labels of durations, CSS pixels. */
const LABEL_HEIGHT = 15;

/** When requests began and how long they took, ns, as in a scope. */
type Spans = Pick<ContextScope, 'took' | 'began'>;

interface DurationsTrackProps {
  readonly log: LogView;
  readonly durations: DurationColumns;
  readonly columns: TimelineColumns;
  /** CSS pixels. */
  readonly width: number;
}

/** When requests began and how long they took, on the axis of the timeline: the stronger a cell, the more of them. */
export function DurationsTrack({ log, durations, columns, width }: DurationsTrackProps): ReactNode {
  const { rows, lowest, columnNs, last, counts, from, marked } = durations;
  const [chosen, setChosen] = useState<Spans>();
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number }>();
  const closeMenu = useCallback(() => setMenu(undefined), []);
  const dayTime = useDayTime(durations.first);
  const range = intervalOf(log.scope.range, durations);
  const [rangeFrom, rangeTo] = [range?.from, range?.to];
  const draw = useCallback(
    (context: CanvasRenderingContext2D, size: DrawingSize) => {
      const cells = {
        rows: durations.rows,
        samples: durations.counts,
        matches: undefined,
        selected: durations.marked,
        most: durations.most,
        mostMatches: 0,
        mostSelected: durations.mostMarked,
      };
      const begin = (durations.from / durations.rows) * durations.columnNs;
      const isInside = (at: number): boolean => {
        const time = begin + Math.floor(at / durations.rows) * durations.columnNs;
        return time < (rangeTo ?? Infinity) && time + durations.columnNs > (rangeFrom ?? -Infinity);
      };
      drawHeatmap(context, size, cells, columns, { begin, columnNs: durations.columnNs }, isInside);
    },
    [durations, columns, rangeFrom, rangeTo],
  );
  const labels = labelsOf(durations);
  const legend = (
    <CellLegend
      title="Durations"
      step={`columns of ${durationText(columnNs)}`}
      entries={
        durations.most === 0
          ? []
          : [
              { ramp: marked === undefined ? 'samples' : 'rest', text: countText(durations.most) },
              ...(marked === undefined
                ? []
                : [
                    {
                      ramp: 'samples',
                      text: `${markName(durations)}: up to ${formatCount(durations.mostMarked)}`,
                    } as const,
                  ]),
            ]
      }
      testId="durations-legend"
    >
      {labels.map(({ text, top }) => (
        <span key={text} className="durations-label" style={{ top }}>
          {text}
        </span>
      ))}
    </CellLegend>
  );
  const note = noteOf(durations);
  const scoped = log.scope.contexts;
  const present = chosen ?? ((scoped?.took ?? scoped?.began) === undefined ? undefined : scoped);
  const lastColumn = Math.floor(last / columnNs);

  function spansOf(a: number, b: number): Spans {
    const [low, high] = [a % rows, b % rows].toSorted((one, other) => one - other);
    const [first, end] = [a, b].map((cell) => Math.floor(cell / rows)).toSorted((one, other) => one - other);
    return {
      took: { from: leastOfRow(lowest + low), to: leastOfRow(lowest + high + 1) },
      began: { from: first * columnNs, to: (end + 1) * columnNs },
    };
  }

  function countIn({ took, began }: Spans): number {
    let count = 0;
    for (const [at, here] of counts.entries()) {
      if (here === 0) continue;
      const { took: row, began: column } = spansOf(from + at, from + at);
      if (isWithin(row, took) && isWithin(column, began)) count += here;
    }
    return count;
  }

  const textOf = (cell: number): string => {
    const spans = spansOf(cell, cell);
    if (chosen !== undefined && isWithin(spans.took, chosen.took) && isWithin(spans.began, chosen.began))
      return `${requestsText(countIn(chosen))} ${spansText(chosen, dayTime)}`;
    return cellText(durations, cell - from, spans, dayTime);
  };

  function offer(spans: Spans, { clientX, clientY }: PointerPlace): void {
    setChosen(spans);
    // The release that opened the menu would close it.
    setTimeout(() => setMenu({ x: clientX, y: clientY }));
  }

  function choose(isCompared: boolean): void {
    if (chosen !== undefined) selectDurations(chosen, isCompared);
    setChosen(undefined);
  }

  const entries = (spans: Spans): readonly MenuEntry[] => {
    const isEmpty = countIn(spans) === 0;
    return [
      { text: 'Only these requests', disabled: isEmpty, run: () => choose(false) },
      { text: 'Compare with the rest', disabled: isEmpty, run: () => choose(true) },
      {
        text: 'Zoom to their time',
        run: () => zoomTimeline({ from: spans.began?.from ?? 0, to: spans.began?.to ?? last + 1 }),
      },
      'separator',
      {
        text: 'Requests of any duration and time',
        disabled: (scoped?.took ?? scoped?.began ?? scoped?.slower) === undefined,
        run: () => {
          setChosen(undefined);
          selectAnyDuration();
        },
      },
    ];
  };

  if (rows === 0)
    return (
      <>
        {legend}
        <p className="durations-note">{note}</p>
      </>
    );
  return (
    <>
      {legend}
      <div className="durations">
        <CellGrid
          columns={columns}
          width={width}
          height={heightOf(rows)}
          rows={rows}
          columnNs={columnNs}
          lastCell={lastColumn * rows + rows - 1}
          firstCell={from + Math.max(0, counts.indexOf(durations.most))}
          isSelected={present !== undefined}
          isQuiet={menu !== undefined}
          label="Requests by begin and duration: arrow keys move, Shift and arrow keys select, Enter offers what can be done with them, Escape clears the selection"
          testId="durations-squares"
          draw={draw}
          textOf={textOf}
          cellAfter={(key, cell) => cellAfterKey(key, cell, rows, lastColumn)}
          placeOf={(cell) => ({ time: Math.floor(cell / rows) * columnNs, row: lowest + (cell % rows) })}
          cellOf={({ time, row }) =>
            Math.min(lastColumn, Math.floor(time / columnNs)) * rows +
            Math.max(0, Math.min(rows - 1, row - lowest))
          }
          move={() => setChosen(undefined)}
          drag={({ from: a, to: b }) => setChosen(spansOf(a, b))}
          drop={({ from: a, to: b, isMoved }, at) => {
            if (isMoved || (counts[a - from] ?? 0) > 0) offer(spansOf(a, b), at);
            else setChosen(undefined);
          }}
          cancel={() => setChosen(undefined)}
          extend={(a, b) => setChosen(spansOf(a, b))}
          enter={(cell, at) => offer(chosen ?? spansOf(cell, cell), at)}
          clear={chosen && (() => setChosen(undefined))}
        >
          {labels.slice(1).map(({ top }) => (
            <div key={top} className="durations-line" style={{ top }} />
          ))}
          {present !== undefined && (
            <Selection spans={present} durations={durations} columns={columns} width={width} />
          )}
        </CellGrid>
        {note !== undefined && <p className="durations-note">{note}</p>}
      </div>
      {menu !== undefined && chosen !== undefined && (
        <Menu label="The selected requests" entries={entries(chosen)} at={menu} onClose={closeMenu} />
      )}
    </>
  );
}

function heightOf(rows: number): number {
  return rows * Math.max(LEAST_ROW, Math.round(HEIGHT / Math.max(1, rows)));
}

function isWithin(inner: NsSpan | undefined, outer: NsSpan | undefined): boolean {
  return (inner?.from ?? 0) >= (outer?.from ?? 0) && (inner?.to ?? Infinity) <= (outer?.to ?? Infinity);
}

/** A frame around requests that are selected or in scope. */
function Selection({
  spans: { took, began },
  durations: { rows, lowest },
  columns: { shown },
  width,
}: Omit<DurationsTrackProps, 'log'> & { readonly spans: Spans }): ReactNode {
  const xOf = (time: number): number => ((time - shown.from) / (shown.to - shown.from)) * width;
  const height = heightOf(rows);
  const yOf = (ns: number): number => {
    const row = rowOfDuration(Math.max(1, ns));
    const [least, end] = [leastOfRow(row), leastOfRow(row + 1)];
    return (
      height - ((row - lowest + Math.log(Math.max(1, ns) / least) / Math.log(end / least)) / rows) * height
    );
  };
  const left = xOf(began?.from ?? 0);
  const right = began?.to === undefined ? width : xOf(began.to);
  const top = took?.to === undefined ? 0 : yOf(took.to);
  const bottom = took?.from === undefined ? height : yOf(took.from);
  return (
    <div
      className="durations-chosen"
      data-testid="durations-chosen"
      aria-hidden="true"
      style={{ left, top, width: right - left, height: bottom - top }}
    />
  );
}

/** Rows between labels, least first: half a decade, a decade, and more. */
const LABEL_STEPS = [ROWS_OF_DECADE / 2, ROWS_OF_DECADE, 2 * ROWS_OF_DECADE];

/** Round durations and where they are, as many as have space. */
function labelsOf({
  rows,
  lowest,
}: DurationColumns): readonly { readonly text: string; readonly top: number }[] {
  const rowHeight = heightOf(rows) / rows;
  const step = LABEL_STEPS.find((each) => each * rowHeight >= LABEL_HEIGHT) ?? 3 * ROWS_OF_DECADE;
  return Array.from({ length: Math.ceil(rows / step) }, (_, at) => ({
    text: durationText(leastOfRow(lowest + at * step)),
    top: (rows - at * step) * rowHeight,
  }));
}

/** The name of what is marked: the selected operation, or what is in scope. */
function markName({ marks = '' }: DurationColumns): string {
  return parseCondition(marks)?.value ?? 'in scope';
}

function countText(most: number): string {
  return most <= 1 ? '1 request' : `1 to ${formatCount(most)} requests`;
}

/** The requests of a cell, and where it is: `12 requests of 4 operations began 5:10 to 5:15 and took 70 ms to 100 ms`. */
export function cellText(durations: DurationColumns, at: number, spans: Spans, dayTime?: number): string {
  const { counts, marked, operations, name, names } = durations;
  const count = counts[at] ?? 0;
  const whose =
    count === 0 ? '' : operations[at] === 1 ? ` of ${names[name[at]]}` : ` of ${operations[at]} operations`;
  const part = marked?.[at] ?? count;
  return `${requestsText(count)}${whose} ${spansText(spans, dayTime)}${part === count ? '' : `, ${formatCount(part)} of them ${markName(durations)}`}`;
}

function requestsText(count: number): string {
  return count === 0 ? 'No request' : formatQuantity(count, 'request');
}

function spansText({ took, began }: Spans, dayTime: number | undefined): string {
  const time = (ns: number | undefined): string => timeText(ns ?? 0, dayTime);
  return `began ${time(began?.from)} to ${time(began?.to)} and took ${durationText(took?.from ?? 0)} to ${durationText(took?.to ?? 0)}`;
}

/** Sentences about requests that are not drawn; undefined: all are. */
export function noteOf({ all, without, beyond }: DurationColumns): string | undefined {
  const sentences = [
    ...(all === 0 ? ['No request is in this scope.'] : []),
    ...(without === 0
      ? []
      : [`${formatQuantity(without, 'request')} took no time and ${isAre(without)} not drawn.`]),
    ...(beyond === 0
      ? []
      : [`${formatQuantity(beyond, 'request')} began before the first sample or after the last one.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function isAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/**
 * Only samples of the requests that took so long and began then, alone or compared with those of all others that meet the
 * conditions.
 */
function selectDurations(spans: Pick<ContextScope, 'took' | 'began'>, isCompared: boolean): void {
  changeContexts((contexts) => {
    const where = contexts?.where ?? [];
    // A scope that says nothing has no text in a link.
    const base = where.length === 0 ? { where, took: {} } : { where };
    return { contexts: { where, ...spans }, ...(isCompared && { base }) };
  });
}

/** Samples of requests, however long they took and whenever they began. */
function selectAnyDuration(): void {
  changeContexts((contexts) => {
    const { where = [] } = contexts ?? {};
    return { contexts: where.length === 0 ? undefined : { where } };
  });
}
