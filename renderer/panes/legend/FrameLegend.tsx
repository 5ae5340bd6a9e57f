import type { ReactNode } from 'react';
import {
  type ColourTheme,
  familyStyle,
  type FrameStyle,
  frameStyle,
} from '../../../shared/text/frame-colour.ts';
import { isDark } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import './legend.css';

/** What the colours of frames mean. */
export function FrameLegend({ searching }: { readonly searching: boolean }): ReactNode {
  const theme = useWindow((state): ColourTheme => (isDark(state) ? 'dark' : 'light'));
  return (
    <ul className="frame-legend" aria-label="Colours of frames" data-testid="frame-legend">
      {legendEntries(theme, searching).map(({ name, style }) => (
        <li key={name}>
          <span className="legend-swatch" aria-hidden="true" style={swatch(style)} />
          {name}
        </li>
      ))}
    </ul>
  );
}

interface LegendEntry {
  readonly name: string;
  readonly style: FrameStyle;
}

function legendEntries(theme: ColourTheme, searching: boolean): readonly LegendEntry[] {
  const scheme = { theme, colourBy: 'package', searching: false } as const;
  const entries: LegendEntry[] = [
    { name: 'Application', style: familyStyle('application', theme) },
    { name: 'JDK', style: familyStyle('jdk', theme) },
    { name: 'Native', style: familyStyle('native', theme) },
    { name: 'Error', style: frameStyle({ label: '', kind: 'error', match: false }, scheme) },
  ];
  if (searching) {
    const style = frameStyle({ label: 'application.Class.method', kind: 'frame', match: true }, scheme);
    entries.push({ name: 'Match', style });
  }
  return entries;
}

function swatch({ fill, hatched, hatch, outline }: FrameStyle): {
  readonly background: string;
  readonly outline: string | undefined;
} {
  return {
    background: hatched ? `repeating-linear-gradient(135deg, ${hatch} 0 2px, ${fill} 2px 4px)` : fill,
    outline: outline === undefined ? undefined : `1px solid ${outline}`,
  };
}
