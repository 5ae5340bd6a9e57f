import { DecoderCode } from '../decoder-code.ts';
import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';

const code = new DecoderCode(() => import('./decoder.ts'));

/** Thread dumps of a HotSpot VM (specs: other formats, Thread dumps). */
export const THREAD_DUMP: ProfileFormat = {
  id: 'thread-dump',
  name: 'Java thread dump',
  extensions: ['.txt', '.tdump'],
  follows: true,
  joinsFiles: true,
  notRecorded: [
    'CPU time per method: a running thread and one that waits for data may look the same',
    'the time of a dump more precisely than to the second',
    'the time zone: times are shown as if they were UTC',
  ],
  recognise,
  code,
  createDecoder: (sink, chosen) => new code.module.ThreadDumpDecoder(sink, chosen),
};

function recognise(head: Uint8Array): Recognition {
  const lines = latin1.decode(head).split(/\r?\n/);
  const last = lines.pop() ?? '';
  for (const line of lines) {
    if (line.startsWith(FIRST_LINE)) return is('it has a line "Full thread dump"');
    if (IN_FILE.test(line) && lines.some((each) => INSTANT.test(each)))
      return is('it has a time and the first line of a thread in a thread dump');
    if (THREAD.test(line)) return is('it has the first line of a thread in a thread dump');
  }
  if (last.startsWith(FIRST_LINE)) return is('it has a line "Full thread dump"');
  // jcmd writes the process id before the dump, and the VM the time.
  const isBegun = lines.every((line) =>
    /^(\d+:?|[\d-]{10} [\d:]{8}|[\d-]{10}T[\d:.]{8,18}Z|\d+[.\d]*\+[\w.+-]*|)$/.test(line),
  );
  const isPossibleStart =
    isBegun &&
    (FIRST_LINE.startsWith(last) ||
      /^(\d+:?|[\d-]{1,10}([ T][\d:.Z]{0,19})?|\d+[.\d]*\+[\w.+-]*|[#"][^\0-\x08]*)$/.test(last));
  return isPossibleStart && head.length > 0
    ? isPossible(0.2, 'it has no line "Full thread dump" yet')
    : isNot(0, 'it does not begin with a line "Full thread dump"');
}

const latin1 = new TextDecoder('latin1');
const FIRST_LINE = 'Full thread dump ';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** `jcmd Thread.dump_to_file` */
const IN_FILE = /^#\d+ ".*"( virtual)?( [A-Z_]+)?( \d[\dT:.Z-]*)?$/;
const THREAD = /^".*" .*\btid=0x[0-9a-f]+ nid=/;
