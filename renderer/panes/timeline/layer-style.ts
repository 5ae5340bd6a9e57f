import {
  type ColourScheme,
  type ColourTheme,
  familyFills,
  frameStyle,
  poolFill,
} from '../../../shared/text/frame-colour.ts';
import { SAMPLE_KINDS, type SampleKind } from '../../../shared/engine/views/self-groups.ts';
import type { TimelineLayers } from '../../../shared/engine/views/timeline-layers.ts';

/** For users. */
export const KIND_NAMES: Readonly<Record<SampleKind, string>> = {
  error: 'Error',
  application: 'Application',
  jdk: 'JDK',
  native: 'Native',
};

/** The colour of a kind of samples: the middle one of its frames in the flame graph. */
export function kindFill(kind: SampleKind, theme: ColourTheme): string {
  const scheme: ColourScheme = { theme, colourBy: 'package', searching: false };
  if (kind !== 'error') return familyFills(kind, scheme)[1];
  return frameStyle({ label: '', kind: 'error', match: false }, scheme).unhatched;
}

/** The colour of a layer; see `TimelineLayer` for its name. */
export function layerFill(layers: TimelineLayers, name: string, theme: ColourTheme): string {
  const kind = SAMPLE_KINDS.find((each) => each === name);
  if (layers === 'kind' && kind !== undefined) return kindFill(kind, theme);
  return poolFill(name === '' ? undefined : name, theme);
}

/** What a layer is, for users. */
export function layerName(layers: TimelineLayers, name: string): string {
  const kind = SAMPLE_KINDS.find((each) => each === name);
  if (layers === 'kind' && kind !== undefined) return KIND_NAMES[kind];
  return name === '' ? 'other pools' : name;
}
