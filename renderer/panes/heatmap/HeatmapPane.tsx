import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../shared/text/format-value.ts';
import { type HeatmapColumns, type HeatmapScaleName } from '../../../shared/engine/views/heatmap-columns.ts';
import { isDark, unitsOf } from '../../store/selectors.ts';
import { scaleHeatmap } from '../../store/time-actions.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import '../legend/legend.css';
import '../pane-bar.css';
import { HEATMAP_COLOURS, type HeatmapColours, type Ramp } from './heatmap-colours.ts';
import { scaleChoices } from './heatmap-scales.ts';
import { squareText } from './heatmap-text.ts';
import { HeatmapSquares } from './HeatmapSquares.tsx';
import './heatmap.css';

/** When samples were taken, in squares of time. A range that is selected here is what all panes look at. */
export function HeatmapPane({ log }: { readonly log: LogView }): ReactNode {
  const [pointed, setPointed] = useState<number>();
  const dark = useWindow(isDark);
  const heatmap = log.panes.heatmap.shown?.columns;
  const colours = HEATMAP_COLOURS[dark ? 'dark' : 'light'];
  return (
    <section
      className="pane heatmap-pane"
      aria-label="Heatmap"
      data-pane="heatmap"
      data-testid="pane-heatmap"
    >
      <div className="pane-bar">
        <span className="heatmap-title">Heatmap</span>
        <span className="heatmap-pointed" data-testid="heatmap-pointed">
          {heatmap !== undefined && pointed !== undefined && squareText(heatmap, pointed, unitsOf(log))}
        </span>
        {heatmap !== undefined && <Legend log={log} heatmap={heatmap} colours={colours} />}
        <SegmentedControl<HeatmapScaleName>
          label="Time of a square"
          choices={scaleChoices(heatmap?.last)}
          value={heatmap?.scale ?? 'fine'}
          onChange={scaleHeatmap}
          testId="heatmap-scale"
        />
      </div>
      <div className="heatmap-body">
        <HeatmapSquares
          key={log.key}
          log={log}
          heatmap={heatmap}
          colours={colours}
          pointed={pointed}
          onPoint={setPointed}
        />
      </div>
    </section>
  );
}

interface LegendProps {
  readonly log: LogView;
  readonly heatmap: HeatmapColumns;
  readonly colours: HeatmapColours;
}

/** What the colours of squares mean. */
function Legend({ log, heatmap, colours }: LegendProps): ReactNode {
  const { most, mostMatches, mostSelected, matches, selected } = heatmap;
  const { one, many } = unitsOf(log).counted;
  const isMarking = matches !== undefined || selected !== undefined;
  return (
    <ul className="legend" aria-label="Colours of squares" data-testid="heatmap-legend">
      <Entry
        ramp={isMarking ? colours.rest : colours.samples}
        text={most <= 1 ? `1 ${one}` : `1 to ${formatCount(most)} ${many}`}
      />
      {selected !== undefined && mostSelected > 0 && (
        <Entry ramp={colours.samples} text={`selected method: up to ${formatCount(mostSelected)}`} />
      )}
      {matches !== undefined && mostMatches > 0 && (
        <Entry ramp={colours.matches} text={`match: up to ${formatCount(mostMatches)}`} />
      )}
    </ul>
  );
}

function Entry({ ramp, text }: { readonly ramp: Ramp; readonly text: string }): ReactNode {
  return (
    <li>
      <span
        className="legend-swatch heatmap-ramp"
        aria-hidden="true"
        style={{ background: `linear-gradient(90deg, ${ramp.join(', ')})` }}
      />
      {text}
    </li>
  );
}
