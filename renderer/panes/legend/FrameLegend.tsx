import { type CSSProperties, type ReactNode, useMemo } from 'react';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import type { FlameLayout } from '../../../shared/engine/views/flame-columns.ts';
import { type LegendEntry, legendOf } from './legend-entries.ts';
import './legend.css';

interface FrameLegendProps {
  readonly scheme: ColourScheme;
  readonly layout: FlameLayout;
  /** Label of the root's thread; undefined if it stands for several. */
  readonly thread: string | undefined;
}

/** What the colours of frames mean. */
export function FrameLegend({ scheme, layout, thread }: FrameLegendProps): ReactNode {
  const { entries, tip } = useMemo(() => legendOf(scheme, layout, thread), [scheme, layout, thread]);
  return (
    <ul
      className="legend frame-legend"
      aria-label="Colours of frames"
      data-testid="frame-legend"
      data-tip={tip}
    >
      {entries.map((entry) => (
        <li key={entry.name}>
          {entry.fills.length > 0 && (
            <span className="legend-swatch" aria-hidden="true" style={swatch(entry)} />
          )}
          <span className="legend-name">{entry.name}</span>
        </li>
      ))}
    </ul>
  );
}

function swatch({ fills, hatch, outline }: LegendEntry): CSSProperties {
  const [fill] = fills;
  const band = 100 / fills.length;
  const bands = fills.map((each, at) => `${each} ${at * band}% ${(at + 1) * band}%`);
  return {
    width: 8 + 4 * fills.length,
    background:
      hatch === undefined
        ? `linear-gradient(90deg, ${bands.join(', ')})`
        : `repeating-linear-gradient(135deg, ${hatch} 0 2px, ${fill} 2px 4px)`,
    outline: outline === undefined ? undefined : `1px solid ${outline}`,
  };
}
