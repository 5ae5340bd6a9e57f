import { TraceWriter } from '../../shared/export/trcbin.ts';
import { XmlEvents } from '../../shared/formats/tptp/xml-events.ts';
import { InputUnpacker } from '../../shared/input/input-unpacker.ts';
import { formatBytes, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import { openGunzip, readBytes } from '../source/read-bytes.ts';
import { CommandError, type CommandIo, type ExitStatus, inputName, writeMessage } from './command-io.ts';
import { COMMANDS } from './commands.ts';
import { oneFile, readArguments } from './options.ts';
import { writeOutput } from './output.ts';

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
    const unpacker = new InputUnpacker({
      take: (bytes) => {
        reader.append(bytes);
        return undefined;
      },
      accepts: () => true,
      openGunzip,
    });
    await readBytes(path, (bytes) => unpacker.push(bytes), { stdin: io.stdin });
    await unpacker.end();
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
  const { what, byteOffset, record, found, expected } = damage;
  writeMessage(
    io,
    `${inputName(path)}: ${what} at byte ${byteOffset} (record ${record}): ${found}, expected ${expected}`,
  );
  return 3;
}
