/** The commands that copy a file event by event: `scrub` and `convert-trace`. */
import { CHUNK_HEADER_BYTES } from '../../shared/formats/jfr/chunk/chunk-header.ts';
import { chunkSize, scrubChunk, type ScrubObstacle } from '../../shared/formats/jfr/scrub.ts';
import { InputUnpacker } from '../../shared/input/input-unpacker.ts';
import { damageText } from '../../shared/facts/damage.ts';
import { formatQuantity, formatBytes, formatShare } from '../../shared/text/format-value.ts';
import { openGunzip, openPieces } from '../source/read-bytes.ts';
import { CommandError, type CommandIo, type ExitStatus, inputName, writeMessage } from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { COMMANDS } from './options/commands.ts';
import { readArguments, oneFile } from './options/options.ts';
import { writeOutput } from './io/output.ts';
import { TraceWriter } from '../../shared/export/trcbin.ts';
import { XmlEvents } from '../../shared/formats/tptp/xml-events.ts';

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
    const take = (bytes: Uint8Array): void => {
      waiting.push(bytes.slice());
      held += bytes.length;
      while (held >= needed) {
        const all = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
        waiting = [all];
        const size = chunkSize(all, byteOffset);
        if (typeof size === 'object') throw refuse(size);
        needed = size;
        if (held < size) return;
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
    };
    await readUnpacked(path, take, io);
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

/** Converts a TPTP trace in XML to a binary one, event by event. Prints both sizes to standard error. */
export async function convertTraceCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS['convert-trace'].options);
  const path = oneFile('convert-trace', args);
  let written = 0;
  let events: XmlEvents | undefined;
  await writeOutput(args.values.output, [path], io, async (sink) => {
    const writer = new TraceWriter((bytes) => {
      written += bytes.length;
      sink(bytes, 0);
    });
    const reader = new XmlEvents({ take: (event) => writer.event(event) });
    events = reader;
    await readUnpacked(path, (bytes) => reader.append(bytes), io);
    if (reader.records === 0) {
      throw new CommandError(`${inputName(path)}: has no event of a TPTP trace in XML; give a .trcxml file`);
    }
    writer.bytes.flush();
  });
  if (events === undefined) return 1;
  const { bytes, damage, records, skips } = events;
  const read = bytes.accepted + bytes.skipped + bytes.pending;
  writeMessage(
    io,
    `${formatQuantity(records, 'event')}: ${formatBytes(read)} of XML, ${formatBytes(written)} binary, ${formatShare(written, read, 1)}`,
  );
  if (bytes.pending > 0)
    writeMessage(io, `${inputName(path)}: the last element is incomplete and was left out`);
  for (const skip of skips) writeMessage(io, `${inputName(path)}: ${skip}`);
  if (damage === undefined) return skips.length === 0 ? 0 : 3;
  writeMessage(io, `${inputName(path)}: ${damageText(damage)}`);
  return 3;
}

/** Reads a file, or standard input, to its end, unpacked. */
async function readUnpacked(path: string, take: (bytes: Uint8Array) => void, io: CommandIo): Promise<void> {
  const unpacker = new InputUnpacker({ take, accepts: () => true, openGunzip });
  for await (const bytes of openPieces(path, io.stdin).pieces) await unpacker.push(bytes);
  await unpacker.end();
}
