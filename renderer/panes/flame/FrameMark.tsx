import type { CSSProperties, ReactNode, Ref } from 'react';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import { labelAt, levelOf } from '../../../shared/engine/views/flame-columns.ts';
import { frameId } from './flame-walk.ts';
import type { FlamePaneId } from '../../store/panes.ts';
import { placeAmongSiblings } from './flame-text.ts';
import { boxOf, type PixelLayout } from '../../../shared/draw/pixel-layout.ts';

interface FrameMarkProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly pane: FlamePaneId;
  readonly pixels: PixelLayout;
  readonly at: number;
  /** Otherwise it represents the root and is invisible. */
  readonly isFocused: boolean;
  readonly details: string;
}

/**
 * The outline of the focused frame, and the only tree item for screen readers: keys move from frame to frame, because a
 * list of thousands of frames cannot be read through.
 */
export function FrameMark({ ref, pane, pixels, at, isFocused, details }: FrameMarkProps): ReactNode {
  const { layout } = pixels;
  const { position, count } = placeAmongSiblings(layout, at);
  return (
    <div
      ref={ref}
      id={frameElementId(pane, frameId(layout, at))}
      className={isFocused ? 'frame-mark frame-marked' : 'frame-mark'}
      style={placeOf(pixels, at)}
      role="treeitem"
      aria-selected={isFocused}
      aria-level={levelOf(layout, at) + 1}
      aria-posinset={position}
      aria-setsize={count}
      aria-label={`${shownLabel(labelAt(layout, at))}, ${details}`}
      data-row-id={layout.id[at]}
      data-depth={levelOf(layout, at)}
    />
  );
}

/** Id of the element that marks a frame. */
export function frameElementId(pane: FlamePaneId, frame: string): string {
  return `${pane}-frame-${frame}`;
}

export function placeOf(pixels: PixelLayout, at: number): CSSProperties {
  const { x, y, width, height } = boxOf(pixels, at);
  return { left: x, top: y, width, height };
}
