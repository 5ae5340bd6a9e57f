import type { StackFrame } from '../formats/stack-frame.ts';
import { NATIVE_BCI, NO_LINE } from '../profile/frame-table.ts';
import { printable } from '../text/printable.ts';
import { EMPTY_STACK_NAME } from '../text/pseudo-frames.ts';
import type { ExportWriter } from './export-input.ts';
import { addTraceNotes, HprofTraces } from './hprof-traces.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

/** The format requires a date; a profile has none. */
const NO_DATE = 'Thu Jan 1 00:00:00 1970';

/** Readers remove `loader/module@version/` before a class name. A name that only looks like that is marked with `//`. */
const LOOKS_LIKE_MODULE = /^[^/]*\/(?!0x[0-9a-f]|\d+\.)/i;

export const writeHprofText: ExportWriter = ({ profile, depth }, sink, addNote) => {
  const traces = new HprofTraces(profile, depth);
  exportHprofText(traces, sink);
  addTraceNotes(profile, traces, addNote);
};

/**
 * The profile as an hprof text file in the layout of Android's AsciiHprofWriter (specs: hprof, section 3). Names are
 * `printable`.
 */
export function exportHprofText(traces: HprofTraces, sink: TextSink): void {
  const writer = new LineWriter(sink, traces.threads.length + traces.length * 2);
  for (const [row, { serial, name }] of traces.threads.entries())
    writer.line(`THREAD START (obj=${row + 1}, id = ${serial}, name="${printable(name)}", group="null")`);
  const frames = traces.frames.map(frameText);
  for (let trace = 0; trace < traces.length; trace++) {
    const thread = traces.threads[traces.thread(trace)];
    const stack = traces.stack(trace);
    const texts = stack.length === 0 ? [EMPTY_STACK_NAME] : stack.map((frame) => frames[frame]);
    writer.line(`TRACE ${traces.serial(trace)}: (thread=${thread.serial})\n\t${texts.join('\n\t')}`);
  }
  writer.line(`CPU SAMPLES BEGIN (total = ${traces.total}) ${NO_DATE}`);
  writer.line('rank   self  accum   count trace method');
  let accumulated = 0;
  for (let trace = 0; trace < traces.length; trace++) {
    const count = traces.count(trace);
    accumulated += count;
    const rank = String(trace + 1).padStart(4);
    const top = traces.stack(trace).at(0);
    const method = top === undefined ? EMPTY_STACK_NAME : methodText(traces.frames[top]);
    writer.line(
      `${rank} ${percent(count, traces)} ${percent(accumulated, traces)} ${String(count).padStart(7)}  ${traces.serial(trace)} ${method}`,
    );
  }
  writer.line('CPU SAMPLES END');
  writer.flush();
}

function percent(count: number, { total }: HprofTraces): string {
  return `${((count / total) * 100).toFixed(2).padStart(5)}%`;
}

function frameText(frame: StackFrame): string {
  const method = methodText(frame);
  return `${LOOKS_LIKE_MODULE.test(method) ? '//' : ''}${method}(${placeText(frame)})`;
}

function methodText({ className, methodName }: StackFrame): string {
  return printable(className === '' ? methodName : `${className}.${methodName}`);
}

/** As in StackTraceElement.toString(), but with the line even if the file is unknown. */
function placeText({ file, line, bci }: StackFrame): string {
  if (bci === NATIVE_BCI) return 'Native Method';
  const source = file === '' ? 'Unknown Source' : printable(file);
  return line === NO_LINE ? source : `${source}:${line}`;
}
