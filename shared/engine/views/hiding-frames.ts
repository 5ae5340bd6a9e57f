import { splitFrameLabel } from '../../text/format-frame.ts';
import { frameFamily } from '../../text/frame-colour.ts';
import { NONE } from '../../profile/columns.ts';
import type { RowSums } from '../values/row-sums.ts';

/** Frames that hide the rest. */
export interface HidingFrames {
  /**
   *   package      most frames on the stacks are of one package; `name` is the beginning of their names: `java.util.regex.`
   *   recursion    most are of methods that call themselves; `name` is empty
   *   recording    the JVM was starting this recording, which is seen while a profile is young; `name` is the outermost method
   */
  readonly kind: 'package' | 'recursion' | 'recording';
  readonly name: string;
  /** Their share of all frames on the stacks of all samples, and of all samples for a recording; 0 to 1. */
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
/** Share of the samples from which on the start of a recording is told. */
const LEAST_RECORDING = 0.02;
/** The commands of a JVM that start and stop a flight recording. */
const RECORDING = 'jdk.jfr.internal.dcmd.';

/**
 * The start of the recording itself, if it has many of the samples; or the package of most frames, if it has so many that it
 * hides the others; or recursion that does; undefined otherwise. Frames that a transform has collapsed do not count. O(rows).
 */
export function hidingFrames(sums: RowSums): HidingFrames | undefined {
  const { tree, totalCount } = sums;
  const { key, keys, length, parent } = tree;
  const ofKey = new Float64Array(keys.length);
  const samples = addFrames(key, totalCount, length, ofKey);
  const recording = recordingStart(sums, samples);
  if (recording !== undefined) return recording;
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
    return { kind: 'package', name: prefix, share };
  let recursive = 0;
  for (let row = 0; row < length; row++) {
    const caller = parent[row];
    if (key[row] < 0 || caller === NONE) continue;
    const isAgain = key[caller] === key[row] || (parent[caller] !== NONE && key[parent[caller]] === key[row]);
    if (isAgain) recursive += totalCount[row];
  }
  return recursive >= LEAST_RECURSION * all
    ? { kind: 'recursion', name: '', share: recursive / all }
    : undefined;
}

/** The outermost methods of a thread that belong to the command which started the recording. */
function recordingStart({ tree, totalCount }: RowSums, samples: number): HidingFrames | undefined {
  const { key, keys, length, parent } = tree;
  let [name, count] = ['', 0];
  for (let row = 0; row < length; row++) {
    if (key[row] < 0 || parent[row] === NONE || key[parent[row]] >= 0) continue;
    const { package: prefix, name: method } = splitFrameLabel(keys.labels[key[row]]);
    if (prefix !== RECORDING) continue;
    const found = prefix + method;
    name ||= found;
    if (found === name) count += totalCount[row];
  }
  return count > 0 && count >= LEAST_RECORDING * samples
    ? { kind: 'recording', name, share: count / samples }
    : undefined;
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
