import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { prefer } from '../store/actions/actions.ts';
import type { SplitName } from '../store/state/preferences.ts';
import { useWindow } from '../store/state/window-store.ts';
import { take } from '../widgets/key-name.ts';
import './split-view.css';

interface RememberedSplitProps {
  /** Under which its share is stored for the next window. */
  readonly name: SplitName;
  readonly direction: 'rows' | 'columns';
  /** Accessible name of the bar between the two parts. */
  readonly label: string;
  /** Percent of the first part, until the user changes it and after a double click. */
  readonly usualShare: number;
  /** CSS pixels that each part keeps at least. */
  readonly leastSize: number;
  readonly children: readonly [first: ReactNode, second: ReactNode];
}

/** Two parts and a bar that is dragged, or moved by arrow keys; a double click puts it back. Its place is a preference. */
export function RememberedSplit(props: RememberedSplitProps): ReactNode {
  const { name, direction, usualShare, leastSize, children } = props;
  const share = useWindow(({ preferences }) => preferences.splits[name] ?? usualShare);
  const whole = useRef<HTMLDivElement>(null);
  /** While the bar is dragged only the two parts change; its place is stored at the end. */
  const [dragged, setDragged] = useState<number>();
  const isRows = direction === 'rows';
  const shown = dragged ?? share;

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    if (dragged === undefined || whole.current === null) return;
    const box = whole.current.getBoundingClientRect();
    const at = isRows ? event.clientY - box.top : event.clientX - box.left;
    setDragged(draggedShare(at, isRows ? box.height : box.width, leastSize));
  }

  function endDrag(): void {
    if (dragged !== undefined && dragged !== share) keepSplit(name, dragged);
    setDragged(undefined);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const box = whole.current?.getBoundingClientRect();
    const moved = movedShare(event, isRows, share, (isRows ? box?.height : box?.width) ?? 0, leastSize);
    if (moved === undefined) return;
    take(event);
    keepSplit(name, moved);
  }

  const least = isRows ? { minHeight: leastSize } : { minWidth: leastSize };
  return (
    <div ref={whole} className={`split-view split-view-${direction}`}>
      <div className="split-part" style={{ ...least, flexBasis: 0, flexGrow: shown }}>
        {children[0]}
      </div>
      <div
        className={`split split-${direction}`}
        role="separator"
        tabIndex={0}
        aria-label={props.label}
        aria-orientation={isRows ? 'horizontal' : 'vertical'}
        aria-valuenow={Math.round(shown)}
        aria-valuemin={0}
        aria-valuemax={100}
        data-dragged={dragged === undefined ? undefined : ''}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(share);
        }}
        onPointerMove={onPointerMove}
        onPointerUp={endDrag}
        onLostPointerCapture={endDrag}
        onDoubleClick={() => keepSplit(name, usualShare)}
        onKeyDown={onKeyDown}
      />
      <div className="split-part" style={{ ...least, flexBasis: 0, flexGrow: 100 - shown }}>
        {children[1]}
      </div>
    </div>
  );
}

const STEP = 2;
const LARGE_STEP = 10;

/** Percent of the first part when the bar is at a pixel of `size`; both parts keep `least` pixels where they can. */
export function draggedShare(at: number, size: number, least: number): number {
  if (size <= 0) return 50;
  const edge = Math.min(least, size / 2);
  return (Math.min(size - edge, Math.max(edge, at)) / size) * 100;
}

/** Where a key moves the bar to; undefined for a key that does not move it. */
export function movedShare(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  isRows: boolean,
  share: number,
  size: number,
  least: number,
): number | undefined {
  const step = shiftKey ? LARGE_STEP : STEP;
  const to = (percent: number): number => draggedShare((percent / 100) * size, size, least);
  switch (key) {
    case isRows ? 'ArrowUp' : 'ArrowLeft':
      return to(share - step);
    case isRows ? 'ArrowDown' : 'ArrowRight':
      return to(share + step);
    case 'Home':
      return to(0);
    case 'End':
      return to(100);
    default:
      return undefined;
  }
}

function keepSplit(split: SplitName, share: number): void {
  prefer({ splits: { ...useWindow.getState().preferences.splits, [split]: share } });
}
