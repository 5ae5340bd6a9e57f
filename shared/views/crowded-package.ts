import { splitFrameLabel } from '../text/format-frame.ts';
import type { RowSums } from '../values/row-sums.ts';

/** A package that hides the rest, because most frames on the stacks are of it. */
export interface CrowdedPackage {
  /** What its keys begin with: `java.util.regex.`. */
  readonly prefix: string;
  /** Of all frames on the stacks of all samples, 0 to 1. */
  readonly share: number;
}

/** Share of the frames from which on a package hides the others. */
const LEAST_SHARE = 0.6;
/** From this share on there is nothing else to be seen. */
const MOST_SHARE = 0.95;
/** Stacks with fewer frames on average can be read as they are. */
const LEAST_DEPTH = 8;

/**
 * The package of most frames, if it has so many that it hides the others; undefined otherwise. Frames that a transform has
 * collapsed do not count. O(rows).
 */
export function crowdedPackage({ tree, totalCount }: RowSums): CrowdedPackage | undefined {
  const { key, keys, length } = tree;
  const packages = new Map<string, number>();
  const frames: number[] = [];
  const packageOfKey = keys.labels.map((label) => {
    const { id, package: name, name: rest } = splitFrameLabel(label);
    if (name === '' || rest === '*') return -1;
    const prefix = `${id}${name}`;
    const known = packages.get(prefix) ?? packages.size;
    packages.set(prefix, known);
    frames[known] = 0;
    return known;
  });
  let all = 0;
  let samples = 0;
  for (let row = 0; row < length; row++) {
    if (key[row] < 0) {
      samples += totalCount[row];
      continue;
    }
    all += totalCount[row];
    const crowd = packageOfKey[key[row]];
    if (crowd >= 0) frames[crowd] += totalCount[row];
  }
  if (all < LEAST_DEPTH * samples) return undefined;
  const [prefix, most] = [...packages]
    .map(([name, number]) => [name, frames[number]] as const)
    .reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  const share = most / all;
  return share >= LEAST_SHARE && share <= MOST_SHARE ? { prefix, share } : undefined;
}
