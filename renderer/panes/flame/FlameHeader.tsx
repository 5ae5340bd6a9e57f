import type { ReactNode } from 'react';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import type { FlameLayout } from '../../../shared/views/flame-columns.ts';
import { showFlameAs, zoomTo } from '../../store/actions.ts';
import { type FlamePaneId, isHalf, type ShownFlame } from '../../store/panes.ts';
import type { Orientation } from '../../store/preferences.ts';
import { showsPart } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { FrameLegend } from '../legend/FrameLegend.tsx';
import type { PaneLog } from '../pane-log.ts';
import { DetailPath } from '../rows/DetailPanes.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { CollapseHint } from './CollapseHint.tsx';
import { FlameDirection } from './FlameDirection.tsx';
import { FilterButton } from '../table/FilterButton.tsx';
import '../pane-bar.css';

const ORIENTATIONS = [
  { value: 'flame', text: 'Flame', hint: 'Root at the bottom (Alt I)' },
  { value: 'icicle', text: 'Icicle', hint: 'Root at the top (Alt I)' },
] as const;

/** Above a zoomed graph of callers or callees: the path from their method to what is shown. */
export function HalfZoomBar({
  pane,
  flame,
}: {
  readonly pane: FlamePaneId;
  readonly flame: ShownFlame;
}): ReactNode {
  return (
    <div className="pane-bar" data-testid={`zoom-bar-${pane}`}>
      <Breadcrumb pane={pane} path={flame.path} leftOut={flame.pathLeftOut} />
      <ResetZoom pane={pane} />
    </div>
  );
}

function ResetZoom({ pane }: { readonly pane: FlamePaneId }): ReactNode {
  return (
    <button
      type="button"
      className="button button-small"
      data-testid="zoom-reset"
      onClick={() => zoomTo(undefined, pane)}
    >
      Reset zoom <kbd>0</kbd>
    </button>
  );
}

interface FlameHeaderProps {
  readonly pane: FlamePaneId;
  readonly log: PaneLog<'zoom' | 'detail'>;
  readonly layout: FlameLayout;
  readonly scheme: ColourScheme;
  readonly orientation: Orientation;
}

/** The path to what a flame graph shows, its colours and its switches. */
export function FlameHeader({ pane, log, layout, scheme, orientation }: FlameHeaderProps): ReactNode {
  const isWhole = !isHalf(pane);
  const isOfPart = useWindow(showsPart);
  const flame = log.panes[pane].shown;
  return (
    <div className="pane-bar">
      {isWhole ? (
        <Breadcrumb pane={pane} path={flame?.path ?? []} leftOut={flame?.pathLeftOut ?? 0} />
      ) : (
        <DetailPath path={log.detail} label="Callers and callees of" />
      )}
      {isOfPart && <span className="flame-note">so far</span>}
      {isWhole && log.zoom !== undefined && <ResetZoom pane={pane} />}
      {isWhole && <CollapseHint />}
      <FrameLegend layout={layout} thread={flame?.thread} scheme={scheme} />
      {isWhole && (
        <>
          <FlameDirection />
          <SegmentedControl
            label="Orientation"
            choices={ORIENTATIONS}
            value={orientation}
            onChange={showFlameAs}
            testId="flame-orientation"
          />
        </>
      )}
      <FilterButton of="frames" />
    </div>
  );
}
