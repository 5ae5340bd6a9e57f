import { readThreadHeader, shownName, virtualName } from '../../shared/formats/thread-dump/thread-header.ts';

/** What of a thread dump is kept. */
export interface DumpPart {
  /** Whether a thread with this name is kept; undefined: all are. */
  readonly wants?: ((name: string) => boolean) | undefined;
  /** Frames of a stack that are kept, from the innermost on; undefined: all are. */
  readonly depth?: number | undefined;
}

const FRAME = /^\s+at /;
const LOCK = /^\s+- /;
const MOUNTED = /^\s+Mounted virtual thread #(\d+)/;
/** What stands below a stack for the frames that were left out; see `ThreadDumpDecoder`. */
const CUT = '\t...';

/**
 * A thread dump of HotSpot without the threads and frames that are not wanted. What is kept reads as it would in the
 * whole dump.
 */
export function cutDump(text: string, part: DumpPart): string {
  const { wants, depth = Infinity } = part;
  if (wants === undefined && depth === Infinity) return text;
  const kept: string[] = [];
  /** The lines of the thread's header and state, while it is not known whether anything of it is wanted. */
  let header: string[] = [];
  let isInThread = false;
  let isWanted = true;
  let frames = 0;
  /** A first line whose name contains a line break. */
  let begun: string | undefined;
  for (const line of text.split('\n')) {
    const joined = begun === undefined || line.startsWith('"') ? line : `${begun}\n${line}`;
    const thread = joined.startsWith('"') ? readThreadHeader(joined) : undefined;
    if (thread !== undefined) {
      isInThread = true;
      // The beginning of its name has been kept as a line that belongs to no thread.
      if (joined !== line) kept.pop();
      isWanted = wants?.(shownName(thread)) ?? true;
      frames = 0;
      header = [joined];
      if (isWanted) kept.push(...header.splice(0));
    } else if (!isInThread) {
      kept.push(line);
    } else if (line.trim() === '') {
      isInThread = false;
      if (header.length === 0) kept.push(line);
    } else {
      const mounted = MOUNTED.exec(line)?.[1];
      if (mounted !== undefined) {
        isWanted = wants?.(virtualName(mounted)) ?? true;
        frames = 0;
        // Its carrier is not wanted: without frames it has no sample.
        if (isWanted) kept.push(...header.splice(0));
      }
      if (FRAME.test(line)) frames++;
      if (!isWanted) continue;
      if (frames <= depth) kept.push(line);
      else if (FRAME.test(line) && frames === depth + 1) kept.push(CUT);
      else if (!FRAME.test(line) && !LOCK.test(line)) kept.push(line);
    }
    begun = thread === undefined && line.startsWith('"') && !isInThread ? line : undefined;
  }
  return kept.join('\n');
}
