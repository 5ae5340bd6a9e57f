import type { ReactNode } from 'react';
import { shownLabel, splitFrameLabel } from '../../../shared/text/format-frame.ts';
import { zoomTo } from '../../store/actions.ts';
import { useMedia } from '../../widgets/use-media.ts';
import type { FlamePaneId, ShownFlame } from '../../store/panes.ts';

/** After the first one. */
const MOST_CRUMBS = 4;
const MOST_IN_NARROW = 1;
const IS_NARROW = '(width < 1000px)';

interface BreadcrumbProps {
  readonly pane: FlamePaneId;
  readonly path: ShownFlame['path'];
  /** Frames that the path itself leaves out after the first. */
  readonly leftOut: number;
}

/** The path from the root of the profile, or from the method whose callers or callees are shown, to the root on screen; a long one leaves out its middle. */
export function Breadcrumb({ pane, path, leftOut }: BreadcrumbProps): ReactNode {
  const first = path.slice(0, 1);
  const most = useMedia(IS_NARROW) ? MOST_IN_NARROW : MOST_CRUMBS;
  const last = path.slice(1).slice(-most);
  const skipped = path.length - last.length - 1 + leftOut;
  return (
    <nav className="breadcrumb" aria-label="Zoom path">
      {first.map((crumb) => (
        <Crumb key="first" pane={pane} crumb={crumb} isHere={path.length === 1} />
      ))}
      {skipped > 0 && (
        <span className="crumb-skipped" data-tip={`${skipped} frames between`}>
          …
        </span>
      )}
      {last.map((crumb, at) => (
        <Crumb key={JSON.stringify(crumb.zoom)} pane={pane} crumb={crumb} isHere={at === last.length - 1} />
      ))}
    </nav>
  );
}

interface CrumbProps {
  readonly pane: FlamePaneId;
  readonly crumb: ShownFlame['path'][number];
  readonly isHere: boolean;
}

function Crumb({ pane, crumb, isHere }: CrumbProps): ReactNode {
  const { name } = splitFrameLabel(crumb.label);
  return (
    <button
      type="button"
      className="crumb"
      aria-current={isHere ? 'location' : undefined}
      disabled={isHere}
      title={shownLabel(crumb.label)}
      onClick={() => zoomTo(crumb.zoom, pane)}
    >
      {name}
    </button>
  );
}
