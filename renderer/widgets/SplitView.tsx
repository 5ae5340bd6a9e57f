import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { draggedShare, movedShare } from './split-share.ts';
import './split-view.css';

interface SplitViewProps {
  readonly direction: 'rows' | 'columns';
  /** Accessible name of the bar between the two parts. */
  readonly label: string;
  /** Percent of the first part. */
  readonly share: number;
  /** Percent after a double click. */
  readonly usualShare: number;
  /** CSS pixels that each part keeps at least. */
  readonly leastSize: number;
  /** A drag has ended, or a key was pressed. */
  readonly onShare: (share: number) => void;
  readonly children: readonly [first: ReactNode, second: ReactNode];
}

/** Two parts and a bar that is dragged, or moved by arrow keys; a double click puts it back. */
export function SplitView(props: SplitViewProps): ReactNode {
  const { direction, share, usualShare, leastSize, onShare, children } = props;
  const whole = useRef<HTMLDivElement>(null);
  /** While the bar is dragged only the two parts change; `onShare` is called at the end. */
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
    if (dragged !== undefined && dragged !== share) onShare(dragged);
    setDragged(undefined);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const box = whole.current?.getBoundingClientRect();
    const moved = movedShare(event, isRows, share, (isRows ? box?.height : box?.width) ?? 0, leastSize);
    if (moved === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onShare(moved);
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
        onDoubleClick={() => onShare(usualShare)}
        onKeyDown={onKeyDown}
      />
      <div className="split-part" style={{ ...least, flexBasis: 0, flexGrow: 100 - shown }}>
        {children[1]}
      </div>
    </div>
  );
}
