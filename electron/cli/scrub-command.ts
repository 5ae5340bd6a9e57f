import { CHUNK_HEADER_BYTES } from '../../shared/formats/jfr/chunk-header.ts';
import { chunkSize, scrubChunk, type ScrubObstacle } from '../../shared/formats/jfr/scrub.ts';
import { InputUnpacker } from '../../shared/input/input-unpacker.ts';
import { formatQuantity } from '../../shared/text/format-value.ts';
import { openGunzip, readBytes } from '../source/read-bytes.ts';
import {
  CommandError,
  type CommandIo,
  type ExitStatus,
  inputName,
  UsageError,
  writeMessage,
} from './command-io.ts';
import { COMMANDS } from './commands.ts';
import { readArguments } from './options.ts';
import { writeOutput } from './output.ts';

/**
 * Copies a flight recording without the events that tell of the machine, chunk by chunk, and prints to standard error what
 * was removed. Writes nothing if a chunk cannot be understood: what is in it is not known.
 */
export async function scrubCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const { files, values } = readArguments(argv, COMMANDS.scrub.options);
  const [path, output = values.output, ...rest] = files;
  if (files.length === 0 || rest.length > 0 || output === undefined)
    throw new UsageError('scrub takes a recording and the file to write: scrub IN.jfr OUT.jfr');
  const removed = new Map<string, number>();
  let blanked = 0;
  await writeOutput(output, [path], io, async (sink) => {
    let waiting: Uint8Array[] = [];
    let held = 0;
    let needed = CHUNK_HEADER_BYTES;
    let byteOffset = 0;
    const refuse = ({ byteOffset: at, found, expected }: ScrubObstacle): CommandError =>
      new CommandError(
        `${inputName(path)}: cannot be scrubbed, and nothing was written: at byte ${at} ${found}, expected ${expected}`,
      );
    const take = (bytes: Uint8Array): undefined => {
      waiting.push(bytes.slice());
      held += bytes.length;
      while (held >= needed) {
        const all = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
        waiting = [all];
        const size = chunkSize(all, byteOffset);
        if (typeof size === 'object') throw refuse(size);
        needed = size;
        if (held < size) return undefined;
        const scrubbed = scrubChunk(all.subarray(0, size), byteOffset);
        if ('found' in scrubbed) throw refuse(scrubbed);
        for (const piece of scrubbed.pieces) sink(piece, 0);
        for (const [event, count] of scrubbed.removed) removed.set(event, (removed.get(event) ?? 0) + count);
        blanked += scrubbed.blanked;
        waiting = [all.subarray(size)];
        held -= size;
        needed = CHUNK_HEADER_BYTES;
        byteOffset += size;
      }
      return undefined;
    };
    const unpacker = new InputUnpacker({ take, accepts: () => true, openGunzip });
    await readBytes(path, (bytes) => unpacker.push(bytes), { stdin: io.stdin });
    await unpacker.end();
    if (held > 0 || byteOffset === 0)
      throw refuse({
        byteOffset,
        found: byteOffset + held === 0 ? 'an empty file' : `${held} bytes of a chunk that is cut`,
        expected: 'a finished recording',
      });
  });
  const events = [...removed].map(([event, count]) => `${count} ${event}`);
  writeMessage(
    io,
    `removed: ${events.length === 0 ? 'nothing, there was none of these events' : events.join(', ')}`,
  );
  if (blanked > 0)
    writeMessage(io, `overwritten: ${formatQuantity(blanked, 'text')} that these events refer to`);
  return 0;
}
