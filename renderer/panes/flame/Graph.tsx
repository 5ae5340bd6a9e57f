import {
  type HTMLAttributes,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import {
  boxOf,
  devicePixels,
  type PixelLayout,
  pixelLayout,
  rowAt,
} from '../../../shared/draw/pixel-layout.ts';
import type { FlameZoom } from '../../../shared/engine/query.ts';
import { type FlameLayout, labelAt, levelOf } from '../../../shared/engine/views/flame-columns.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import type { Orientation } from '../../store/state/preferences.ts';
import { activeLog, isDark, shownColourBy } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { usePixelRatio, useWidth } from '../use-drawing.ts';
import { FlameChart } from './flame-chart.ts';
import { placeAmongSiblings } from './flame-text.ts';
import { note } from '../../store/actions/actions.ts';

/** The colours of frames, as they are chosen in the window. `selected`: the method that is. */
export function useScheme(searching: boolean, selected: string | undefined): ColourScheme {
  const theme = useWindow((state) => (isDark(state) ? 'dark' : 'light'));
  const colourBy = useWindow((state) => shownColourBy(activeLog(state), state.preferences));
  return useMemo(() => ({ theme, colourBy, searching, selected }), [theme, colourBy, searching, selected]);
}

interface GraphOptions {
  readonly layout: FlameLayout;
  readonly orientation: Orientation;
  readonly scheme: ColourScheme;
  readonly thread?: string | undefined;
  readonly zoom?: FlameZoom | undefined;
  /** Several rows may have one id. */
  readonly isChart?: boolean;
  /** CSS pixels; 0: as wide as there is space. */
  readonly mostWidth?: number;
}

/** A graph in the document. */
interface Graph {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly drawnIn: RefObject<HTMLDivElement | null>;
  /** The outline of the focused frame. */
  readonly mark: RefObject<HTMLDivElement | null>;
  readonly chart: RefObject<FlameChart | undefined>;
  /** CSS pixels; 0 until it is measured. */
  readonly width: number;
  readonly pixels: PixelLayout;
  readonly orientation: Orientation;
  /** The row at a place in the window; -1 for none. */
  readonly rowUnder: (place: Pick<MouseEvent, 'clientX' | 'clientY'>) => number;
}

/** Draws frames, and asks for a layout of as many device pixels as there is space for. */
export function useGraph(options: GraphOptions): Graph {
  const { layout, orientation, scheme, thread, zoom, isChart = false, mostWidth = 0 } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const drawnIn = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLDivElement>(null);
  const chart = useRef<FlameChart>(undefined);
  const space = useWidth(scroller);
  const width = mostWidth > 0 ? Math.min(mostWidth, space) : space;
  const pixelRatio = usePixelRatio();
  const pixels = useMemo(
    () => pixelLayout(layout, { width, pixelRatio }, orientation, thread),
    [layout, width, pixelRatio, orientation, thread],
  );
  useEffect(() => {
    const wanted = devicePixels({ width, pixelRatio });
    if (wanted > 0) note({ flameWidth: wanted });
  }, [width, pixelRatio]);
  useLayoutEffect(
    () => () => {
      chart.current?.destroy();
      chart.current = undefined;
    },
    [],
  );
  useLayoutEffect(() => {
    const container = scroller.current;
    if (drawnIn.current === null || container === null || width === 0) return;
    chart.current ??= new FlameChart(drawnIn.current, container, isChart ? 'canvas' : 'all');
    chart.current.draw(pixels, scheme, zoom);
  }, [pixels, width, scheme, zoom, isChart]);
  return {
    scroller,
    drawnIn,
    mark,
    chart,
    width,
    pixels,
    orientation,
    rowUnder({ clientX, clientY }) {
      const place = drawnIn.current?.getBoundingClientRect();
      return place === undefined ? -1 : rowAt(pixels, clientX - place.left, clientY - place.top);
    },
  };
}

interface GraphFramesProps {
  readonly graph: Graph;
  /** The name of the graph and its keys, for a screen reader. */
  readonly label: string;
  /** Keys and the pointer. */
  readonly container: HTMLAttributes<HTMLDivElement> & { readonly 'data-testid'?: string };
  /** -1 for none. */
  readonly hovered: number;
  readonly focused: number;
  /** Id of the element that marks the focused frame. */
  readonly markId: string;
  readonly describe: (row: number) => string;
  /** Beside the graph. */
  readonly children?: ReactNode;
}

/**
 * The frames, an outline of the one under the pointer, and one of the focused frame. That is the only tree item for screen
 * readers: keys move from frame to frame, because a list of thousands of frames cannot be read through.
 */
export function GraphFrames(props: GraphFramesProps): ReactNode {
  const { graph, label, container, hovered, focused, markId, describe, children } = props;
  const { scroller, drawnIn, mark, pixels, orientation } = graph;
  const { layout } = pixels;
  const at = Math.max(0, focused);
  const { position, count } = layout.length > 0 ? placeAmongSiblings(layout, at) : {};
  return (
    <div className="flame-body">
      <div ref={scroller} className={`flame-scroller flame-${orientation}`}>
        <div
          {...container}
          className={`flame-canvas ${container.className ?? ''}`}
          role="tree"
          tabIndex={0}
          aria-label={label}
          aria-activedescendant={focused >= 0 ? markId : undefined}
        >
          <div ref={drawnIn} className="flame-graph" aria-hidden="true" />
          {hovered >= 0 && (
            <div className="frame-hover" style={placeOf(pixels, hovered)} aria-hidden="true" />
          )}
          {layout.length > 0 && (
            <div
              key={markId}
              ref={mark}
              id={markId}
              // Otherwise it represents the root and is invisible.
              className={focused >= 0 ? 'frame-mark frame-marked' : 'frame-mark'}
              style={placeOf(pixels, at)}
              role="treeitem"
              aria-selected={focused >= 0}
              aria-level={levelOf(layout, at) + 1}
              aria-posinset={position}
              aria-setsize={count}
              aria-label={`${shownLabel(labelAt(layout, at))}, ${describe(at)}`}
              data-row-id={layout.id[at]}
              data-depth={levelOf(layout, at)}
            />
          )}
        </div>
      </div>
      {children}
    </div>
  );
}

function placeOf(pixels: PixelLayout, at: number): Record<'left' | 'top' | 'width' | 'height', number> {
  const { x, y, width, height } = boxOf(pixels, at);
  return { left: x, top: y, width, height };
}
