import type { ReactNode } from 'react';
import {
  type ColourTheme,
  familyStyle,
  type FrameStyle,
  frameStyle,
} from '../../../shared/text/frame-colour.ts';
import { prefer } from '../../store/actions.ts';
import { isDark } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import { Select } from '../../widgets/Select.tsx';
import './legend.css';

const COLOUR_CHOICES = [
  { value: 'package', text: 'Package' },
  { value: 'thread', text: 'Thread' },
  { value: 'self', text: 'Self' },
] as const;

/** What the colours of frames mean, and the choice of what they tell. */
export function FrameLegend({ searching }: { readonly searching: boolean }): ReactNode {
  const theme = useWindow((state): ColourTheme => (isDark(state) ? 'dark' : 'light'));
  const colourBy = useWindow((state) => state.preferences.colourBy);
  return (
    <div className="frame-legend" data-testid="frame-legend">
      <ul className="legend-entries" aria-label="Colours of frames">
        {legendEntries(theme, searching).map(({ name, style }) => (
          <li key={name}>
            <span className="legend-swatch" aria-hidden="true" style={swatch(style)} />
            {name}
          </li>
        ))}
      </ul>
      <Select
        label="Colour by"
        choices={COLOUR_CHOICES}
        value={colourBy}
        onChange={(chosen) => prefer({ colourBy: chosen })}
        hint="Package: a hue for each. Thread: a hue for each. Self: strong where samples end."
        testId="colour-by"
      />
    </div>
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
