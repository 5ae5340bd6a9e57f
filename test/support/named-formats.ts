import { readdirSync, readFileSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import { detectFormat, DETECTION_BYTES } from '../../shared/input/detect-format.ts';
import type { FormatId } from '../../shared/facts/format-facts.ts';

/** File names of each format among the test data. */
const NAMES: Partial<Record<FormatId, RegExp>> = {
  'honest-log': /\.hpl/,
  hprof: /\.hprof$/,
  'hprof-text': /\.hprof\.txt/,
  tptp: /\.trcbin$/,
  'tptp-xml': /\.trcxml$/,
  jfr: /\.jfr|\.film/,
  collapsed: /collapse|\.folded|\.flame\.txt/,
  speedscope: /\.speedscope\.json/,
  cpuprofile: /\.cpuprofile$/,
  'async-profiler-html': /\.html$/,
  pprof: /\.pprof|\.prof$/,
};

/** The paths of all files in a folder and its folders. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

/** The files that are taken for one of these formats and do not have its name: `path as format`. */
export function wronglyRecognised(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const stored = readFileSync(path);
    const input = path.endsWith('.gz') ? beginning(stored) : stored;
    const format = detectFormat(input.subarray(0, DETECTION_BYTES), true)?.format;
    const name = format === undefined ? undefined : NAMES[format];
    return name === undefined || name.test(path) ? [] : [`${path} as ${format}`];
  });
}

/** Unpacked, and enough of it to tell a format. */
function beginning(packed: Uint8Array): Uint8Array {
  return gunzipSync(packed.subarray(0, 1 << 16), { finishFlush: constants.Z_SYNC_FLUSH });
}
