import {
  type ColourScheme,
  type ColourTheme,
  familyFills,
  frameStyle,
} from '../../../shared/text/frame-colour.ts';
import type { TimeTracks } from '../../../shared/engine/views/time-tracks.ts';
import type { DrawnLayer } from './timeline-drawing.ts';
import { SAMPLE_KINDS, type SampleKind } from '../../../shared/engine/views/self-groups.ts';

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

/** The samples of a track by their kinds, from the bottom. `track`: its place; the one after the last is that of all threads. */
export function kindLayers(
  { kinds, buckets }: TimeTracks,
  track: number,
  theme: ColourTheme,
): readonly DrawnLayer[] {
  return SAMPLE_KINDS.map((kind, at) => {
    const from = (track * SAMPLE_KINDS.length + at) * buckets;
    return { values: kinds.subarray(from, from + buckets), fill: kindFill(kind, theme) };
  });
}
