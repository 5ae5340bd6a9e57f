import {
  type HTMLAttributes,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  contentHeight,
  type Extent,
  hasDrifted,
  heldWithin,
  isRequested,
  missingRows,
  positionToReveal,
  positionWithin,
  type RequestedRows,
  rowsToDraw,
  rowsToFetch,
  scrolled,
  scrollTopOf,
  type ScrollState,
  visibleRows,
} from './virtual-scroll.ts';
import './virtual-rows.css';

interface VirtualRowsProps<Row> {
  readonly total: number;
  readonly rowHeight: number;
  /** Rows that have arrived, the first of them at position `from` of all; 0 where all are here. */
  readonly from?: number;
  readonly rows: readonly Row[];
  /** Draws a row at `top`, CSS pixels. */
  readonly renderRow: (row: Row, index: number, top: number) => ReactNode;
  /** Draws what all rows have in common, the first of them at `top`; undefined for rows that have not arrived. */
  readonly renderBeside?: (rows: readonly (Row | undefined)[], top: number) => ReactNode;
  /** Requests these rows: they are on screen or close to it. */
  readonly onWindow?: (from: number, count: number) => void;
  /** Grows by the rows that were inserted above the window: the view scrolls by as many, so nothing moves. */
  readonly shift?: number;
  /** A new object asks for row `at` to be scrolled into view, and row `start` if both fit; -1 is nowhere. */
  readonly reveal?: { readonly at: number; readonly start: number } | undefined;
  /** The selected row: its position among all rows, and the id of its element. */
  readonly active: { readonly at: number; readonly elementId: string } | undefined;
  readonly initialPosition?: number;
  readonly onPosition?: (position: number) => void;
  readonly container: HTMLAttributes<HTMLDivElement>;
}

/**
 * A slot in the document that scrolled rows reuse: elements stay and change their texts, which costs a fraction of
 * creating and removing them. Until the next row arrives, the slot keeps the previous one at its old position, beyond
 * the edge or below the placeholder for missing rows.
 */
const Place = memo(
  function Place({ children }: { readonly children: ReactNode }): ReactNode {
    return children;
  },
  (_, { children }) => children === undefined,
);

/** A list of rows of equal height with only the visible ones in the document. Independent of profiles. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>): ReactNode {
  const { total, rowHeight, from = 0, rows, onWindow, shift = 0, reveal, active } = props;
  const { initialPosition = 0, onPosition } = props;
  const element = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState(0);
  const [remembered, setScroll] = useState<ScrollState>({
    scrollTop: initialPosition,
    position: initialPosition,
  });
  /** Position that this component scrolled to, to recognise its own scroll event. */
  const intended = useRef<number>(undefined);
  const extent: Extent = { rows: total, rowHeight, viewport };
  const scroll = heldWithin(remembered, extent);

  const moveTo = useCallback((position: number, within: Extent) => {
    const target = scrollTopOf(position, within);
    if (element.current === null || Math.abs(element.current.scrollTop - target) < 1) return;
    intended.current = position;
    element.current.scrollTop = target;
  }, []);

  useLayoutEffect(() => {
    const container = element.current;
    if (container === null) return;
    const observer = new ResizeObserver(() => setViewport(container.clientHeight));
    observer.observe(container);
    return () => observer.disconnect();
  }, []);

  // A remembered position is restored once the rows are high enough.
  const restored = useRef(false);
  useLayoutEffect(() => {
    if (restored.current || total === 0 || viewport === 0) return;
    restored.current = true;
    moveTo(initialPosition, { rows: total, rowHeight, viewport });
  }, [total, rowHeight, viewport, initialPosition, moveTo]);

  const requested = useRef<RequestedRows & { readonly by: typeof onWindow }>(undefined);
  const seenShift = useRef(shift);
  const seenTotal = useRef(total);
  useLayoutEffect(() => {
    const rowsAbove = shift - seenShift.current;
    const rowsBefore = seenTotal.current;
    seenShift.current = shift;
    seenTotal.current = total;
    const container = element.current;
    if (rowsAbove === 0 || container === null) return;
    // A requested position moves with its rows.
    if (requested.current !== undefined)
      requested.current = { ...requested.current, shift: requested.current.shift + rowsAbove };
    restored.current = true;
    const within = { rows: total, rowHeight, viewport: container.clientHeight };
    // A remembered position may lie behind the rows that there were until now.
    const position = positionWithin(intended.current ?? scroll.position, { ...within, rows: rowsBefore });
    moveTo(position + rowsAbove * rowHeight, within);
  }, [shift, total, rowHeight, scroll.position, moveTo]);

  const seenReveal = useRef(reveal);
  useLayoutEffect(() => {
    const container = element.current;
    // Rows that arrive later must not repeat an earlier scroll into view.
    if (reveal === seenReveal.current || container === null) return;
    seenReveal.current = reveal;
    if (reveal === undefined || reveal.at < 0) return;
    const within = { rows: total, rowHeight, viewport: container.clientHeight };
    const position = intended.current ?? scroll.position;
    const shown = positionToReveal(reveal.start, position, within);
    moveTo(positionToReveal(reveal.at, shown, within), within);
  }, [reveal, total, rowHeight, scroll.position, moveTo]);

  const wanted = rowsToFetch(scroll.position, extent);
  const visible = visibleRows(scroll.position, extent);
  const isMeasured = viewport > 0;
  useEffect(() => {
    const range = { from: wanted.from, count: wanted.count };
    const before = requested.current?.by === onWindow ? requested.current : undefined;
    const seen = { from: visible.from, count: visible.count };
    if (onWindow === undefined || !isMeasured || isRequested(range, seen, before)) return;
    requested.current = { ...range, shift: 0, by: onWindow };
    onWindow(range.from, range.count);
  }, [isMeasured, wanted.from, wanted.count, visible.from, visible.count, onWindow]);

  function onScroll(): void {
    const container = element.current;
    if (container === null) return;
    const position = intended.current;
    intended.current = undefined;
    const next =
      position === undefined
        ? scrolled(scroll, container.scrollTop, extent)
        : // There may have come to be fewer rows since; the browser then stopped at their end.
          { scrollTop: container.scrollTop, position: positionWithin(position, extent) };
    setScroll(next);
    onPosition?.(next.position);
    if (hasDrifted(next, extent)) moveTo(next.position, extent);
  }

  const drawn = rowsToDraw(scroll.position, extent);
  const offset = scroll.scrollTop - scroll.position;
  const isDrawn = active !== undefined && active.at >= drawn.from && active.at < drawn.from + drawn.count;
  const places = Array.from({ length: drawn.slots }, (): ReactNode => null);
  const shown: (Row | undefined)[] = [];
  for (let index = drawn.from; index < drawn.from + drawn.count; index++) {
    const isThere = index >= from && index < from + rows.length;
    shown.push(isThere ? rows[index - from] : undefined);
    const place = index % drawn.slots;
    places[place] = (
      <Place key={place}>
        {isThere ? props.renderRow(rows[index - from], index, index * rowHeight + offset) : undefined}
      </Place>
    );
  }

  return (
    <div
      {...props.container}
      ref={element}
      className={`virtual-rows ${props.container.className ?? ''}`}
      // Only an element that is in the document can be referred to.
      aria-activedescendant={isDrawn ? active.elementId : undefined}
      onScroll={onScroll}
    >
      <div className="virtual-rows-content" role="presentation" style={{ height: contentHeight(extent) }}>
        {places}
        {props.renderBeside?.(shown, drawn.from * rowHeight + offset)}
        {missingRows(drawn, { from, count: rows.length }).map((range) => (
          <div
            key={range.from}
            className="virtual-rows-missing"
            aria-hidden="true"
            style={{
              top: range.from * rowHeight + offset,
              height: range.count * rowHeight,
              backgroundSize: `100% ${rowHeight}px, 100% ${rowHeight}px, calc(60% - 32px) ${rowHeight}px`,
            }}
          />
        ))}
      </div>
    </div>
  );
}
