import type { ReactNode } from 'react';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { formatShare } from '../../../shared/text/format-value.ts';
import type { HidingFrames } from '../../../shared/engine/views/hiding-frames.ts';
import type { Transform } from '../../../shared/scope/scope.ts';
import type { FlameLayout } from '../../../shared/engine/views/flame-columns.ts';
import { prefer, zoomTo, choosePane, changeScope, changeActive } from '../../store/actions/actions.ts';
import { definitionOf, type FlamePaneId, isHalf, type PaneId } from '../../store/panes/panes.ts';
import type { ShownFlame } from '../../store/panes/pane-views.ts';
import type { Orientation } from '../../store/state/preferences.ts';
import { addTransform } from '../../store/actions/scope-actions.ts';
import { activeLog, isPartial, showsPart } from '../../store/state/selectors.ts';
import { choicesFor, panesAt, tabsOf } from '../../store/state/shown-panes.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { Icon } from '../../widgets/icons.tsx';
import { Button } from '../../widgets/Button.tsx';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { useMedia } from '../../widgets/use-media.ts';
import { FrameLegend } from '../legend/FrameLegend.tsx';
import type { LogView } from '../../store/state/window-state.ts';
import { DetailPath } from '../rows/Detail.tsx';
import '../pane-bar.css';
import { Breadcrumb } from '../Breadcrumb.tsx';

const ORIENTATIONS = [
  {
    value: 'flame',
    text: 'Upward',
    hint: 'The graph begins at the bottom and grows upward, as flames do (Alt I)',
  },
  {
    value: 'icicle',
    text: 'Downward',
    hint: 'The graph begins at the top and grows downward, as icicles do (Alt I)',
  },
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
      <ZoomPath pane={pane} path={flame.path} leftOut={flame.pathLeftOut} />
      <ResetZoom pane={pane} />
    </div>
  );
}

/** Makes the zoom a part of the scope of all panes; a small window has the command in the palette. */
function KeepZoom(): ReactNode {
  const isShown = useWindow((state) => activeLog(state)?.keepsZoom !== true && !state.isSmall);
  if (!isShown) return null;
  return (
    <Button
      className="button-small"
      testId="zoom-keep"
      tip="All panes show only what is below this frame"
      onClick={() => changeScope({ keepsZoom: true })}
    >
      Keep
    </Button>
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
  readonly log: LogView;
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
        <ZoomPath pane={pane} path={flame?.path ?? []} leftOut={flame?.pathLeftOut ?? 0} />
      ) : (
        <>
          <DetailPath path={log.detail} label="Callers and callees of" />
          <span className="flame-note">callers above, callees below</span>
        </>
      )}
      {isOfPart && <span className="flame-note">so far</span>}
      {isWhole && log.zoom !== undefined && (
        <>
          <KeepZoom />
          <ResetZoom pane={pane} />
        </>
      )}
      {isWhole && <HidingHint />}
      <FrameLegend layout={layout} thread={flame?.thread} scheme={scheme} />
      {isWhole && (
        <>
          <FlameChoices />
          <SegmentedControl
            label="Orientation"
            choices={ORIENTATIONS}
            value={orientation}
            onChange={(chosen) => prefer({ orientation: chosen })}
            testId="flame-orientation"
          />
        </>
      )}
    </div>
  );
}

/** After the first one. */
const MOST_CRUMBS = 4;
const MOST_IN_NARROW = 1;
const IS_NARROW = '(width < 1000px)';

interface ZoomPathProps {
  readonly pane: FlamePaneId;
  readonly path: ShownFlame['path'];
  /** Frames that the path itself leaves out after the first. */
  readonly leftOut: number;
}

/** The path from the root of the profile, or from the method whose callers or callees are shown, to the root on screen. */
function ZoomPath({ pane, path, leftOut }: ZoomPathProps): ReactNode {
  const most = useMedia(IS_NARROW) ? MOST_IN_NARROW : MOST_CRUMBS;
  const crumbs = path.map(({ label, zoom }) => ({ label, run: () => zoomTo(zoom, pane) }));
  return <Breadcrumb label="Zoom path" crumbs={crumbs} first={1} most={most} leftOut={leftOut} />;
}

interface Suggestion {
  /** A share of the frames or of the samples, and whose they are. */
  readonly text: string;
  readonly button: string;
  readonly tip: string;
  /** The name of the button that declines it. */
  readonly decline: string;
  readonly transform: Transform;
}

/** The suggestion for frames that hide the rest. */
function suggestionFor({ kind, name, share }: HidingFrames): Suggestion {
  const percent = formatShare(share, 1, 0);
  switch (kind) {
    case 'package': {
      const shown = name.slice(0, -1);
      return {
        text: `${percent} of frames are ${shown}`,
        button: 'Collapse',
        tip: `Adjacent frames of ${shown} become one frame`,
        decline: `Do not collapse ${shown}`,
        transform: { kind: 'collapse', prefix: name, keys: 'fqmn' },
      };
    }
    case 'recursion':
      return {
        text: `${percent} of frames are recursion`,
        button: 'Collapse',
        tip: 'Calls of a method that is on the stack already become one frame',
        decline: 'Do not collapse recursion',
        transform: { kind: 'collapse-recursion', of: 'all' },
      };
    case 'recording':
      return {
        text: `${percent} of samples are of the start of the recording`,
        button: 'Drop',
        tip: `Samples with ${name}, which started this recording, are left out`,
        decline: 'Keep the start of the recording',
        transform: { kind: 'drop', key: name, keys: 'fqmn' },
      };
  }
}

/** Suggests what shows more of the rest. Not while the log is read, and not again once it was declined. */
function HidingHint(): ReactNode {
  const hiding = useWindow((state) => {
    const log = activeLog(state);
    if (log?.hiding === undefined || log.zoom !== undefined || isPartial(log)) return undefined;
    return log.declinedHints.includes(log.hiding.name) ? undefined : log.hiding;
  });
  if (hiding === undefined) return null;
  const { text, button, tip, decline, transform } = suggestionFor(hiding);
  return (
    <span className="collapse-hint" data-testid="collapse-hint">
      <span className="collapse-text">{text}</span>
      <button
        type="button"
        className="button button-small"
        data-tip={tip}
        onClick={() => addTransform(transform)}
      >
        {button}
      </button>
      <button
        type="button"
        className="button button-small button-bare"
        aria-label={decline}
        data-tip="Do not suggest this again"
        onClick={() =>
          changeActive((log) => ({ ...log, declinedHints: [...log.declinedHints, hiding.name] }))
        }
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

/** The choices of the place of the flame graph, in the bars of its panes. */
export function FlameChoices(): ReactNode {
  const ids = useWindow((state) =>
    choicesFor('flame', activeLog(state))
      .map(({ id }) => id)
      .join(' '),
  );
  const shown = useWindow((state) => definitionOf(panesAt('flame', state)[0]).choice ?? '');
  return (
    <SegmentedControl
      label="Direction"
      choices={tabsOf(ids.split(' ').map((id) => definitionOf(id as PaneId)))}
      value={shown}
      onChange={(choice) => choosePane('flame', choice)}
      testId="flame-direction"
    />
  );
}
