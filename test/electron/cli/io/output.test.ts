import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandIo } from '../../../../electron/cli/io/command-io.ts';
import { writeOutput } from '../../../../electron/cli/io/output.ts';
import { collectBytes, type OutputSink } from '../../../../shared/export/export-input.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('bytes reach a file, a device and standard output as they are; text as UTF-8', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
  const write = (sink: OutputSink): void => {
    sink(bytes, 0.5);
    sink('\u00e9', 1);
  };
  const expected = Buffer.from([...bytes, 0xc3, 0xa9]);
  const path = join(temporaryFolder(), 'out.bin');
  const pieces: (string | Uint8Array)[] = [];
  const io: CommandIo = {
    stdin: () => {
      throw new Error('nothing is read');
    },
    stdout: (piece) => void pieces.push(piece),
    stderr: () => undefined,
    showsProgress: false,
  };
  await writeOutput(path, ['input.hpl'], io, write);
  expect(readFileSync(path).equals(expected)).toBe(true);
  await writeOutput('/dev/null', ['input.hpl'], io, write);
  await writeOutput(undefined, ['input.hpl'], io, write);
  expect(pieces).toEqual([bytes, '\u00e9']);
  expect(
    collectBytes((sink) => {
      sink(bytes, 0.5);
      sink(new Uint8Array([7]), 1);
    }),
  ).toEqual(Uint8Array.from([...bytes, 7]));
});
