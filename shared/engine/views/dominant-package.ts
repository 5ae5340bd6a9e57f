import { splitFrameLabel } from '../../text/format-frame.ts';
import { frameFamily } from '../../text/frame-colour.ts';
import { NONE } from '../../profile/columns.ts';
import type { RowSums } from '../values/row-sums.ts';

/** A package, or methods that call themselves, which hides the rest, because most frames on the stacks are of it. */
export interface DominantPackage {
  /** The beginning of its methods' names: `java.util.regex.`; empty for recursion. */
  readonly prefix: string;
  /** Its share of all frames on the stacks of all samples, 0 to 1. */
  readonly share: number;
}

/** Share of the frames from which on a package hides the others. */
const LEAST_SHARE = 0.6;
/** From this share on there is nothing else to be seen. */
const MOST_SHARE = 0.95;
/** Share of the frames from which on recursion hides the others. */
const LEAST_RECURSION = 0.5;
/** Stacks with fewer frames on average can be read as they are. */
const LEAST_DEPTH = 8;

/**
 * The package of most frames, if it has so many that it hides the others, or else recursion that does; undefined otherwise.
 * Frames that a transform has collapsed do not count. O(rows).
 */
export function dominantPackage({ tree, totalCount }: RowSums): DominantPackage | undefined {
  const { key, keys, length, parent } = tree;
  const ofKey = new Float64Array(keys.length);
  const samples = addFrames(key, totalCount, length, ofKey);
  const all = ofKey.reduce((sum, frames) => sum + frames, 0);
  if (all === 0 || all < LEAST_DEPTH * samples) return undefined;
  const packages = new Map<string, number>();
  ofKey.forEach((frames, each) => {
    if (frames === 0) return;
    const { package: prefix, name: rest } = splitFrameLabel(keys.labels[each]);
    if (prefix === '' || rest === '*') return;
    packages.set(prefix, (packages.get(prefix) ?? 0) + frames);
  });
  const [prefix, most] = [...packages].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  const share = most / all;
  if (share >= LEAST_SHARE && share <= MOST_SHARE && !isOwn(prefix, [...packages.keys()]))
    return { prefix, share };
  let recursive = 0;
  for (let row = 0; row < length; row++) {
    const caller = parent[row];
    if (key[row] < 0 || caller === NONE) continue;
    const isAgain = key[caller] === key[row] || (parent[caller] !== NONE && key[parent[caller]] === key[row]);
    if (isAgain) recursive += totalCount[row];
  }
  return recursive >= LEAST_RECURSION * all ? { prefix: '', share: recursive / all } : undefined;
}

/** Whether a package is what the profile is about: of the application, with no other one that is not its neighbour. */
function isOwn(prefix: string, packages: readonly string[]): boolean {
  const isApplication = (each: string): boolean => frameFamily(`${each}Class.method`) === 'application';
  const beginning = prefix.split('.', 2).join('.');
  return (
    isApplication(prefix) && packages.every((each) => !isApplication(each) || each.startsWith(beginning))
  );
}

/** Adds the frames of all samples to their keys. Returns the number of samples. */
function addFrames(key: Int32Array, totalCount: Float64Array, length: number, ofKey: Float64Array): number {
  let samples = 0;
  for (let row = 0; row < length; row++) {
    if (key[row] < 0) samples += totalCount[row];
    else ofKey[key[row]] += totalCount[row];
  }
  return samples;
}
