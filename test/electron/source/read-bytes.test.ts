import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openGunzip, openPieces } from '../../../electron/source/read-bytes.ts';
import { InputUnpacker } from '../../../shared/input/input-unpacker.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lines = Array.from({ length: 400_000 }, (_, line) => `line ${line}\n`).join('');

/** What a file holds, unpacked. */
async function read(path: string, stdin?: () => Readable) {
  const unpacked: Buffer[] = [];
  const unpacker = new InputUnpacker({
    take: (bytes) => void unpacked.push(Buffer.from(bytes)),
    accepts: () => true,
    openGunzip,
  });
  const { pieces, size } = openPieces(path, stdin);
  const lengths: number[] = [];
  for await (const bytes of pieces) {
    lengths.push(bytes.length);
    await unpacker.push(bytes);
  }
  await unpacker.end();
  const { storage, damage } = unpacker;
  return { size, lengths, storage, damage, text: Buffer.concat(unpacked).toString('latin1') };
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

const refusal = (path: string): string => {
  try {
    openPieces(path);
    return 'was opened';
  } catch (error) {
    return `${(error as Error).name} ${(error as Error).message.replace(path, 'FILE')}`;
  }
};

test('a plain file arrives whole, in pieces', async () => {
  const { lengths, ...input } = await read(file('plain', lines));
  expect(input).toEqual({ size: lines.length, storage: 'uncompressed', damage: undefined, text: lines });
  const piece = 1 << 17;
  expect(lengths).toEqual([
    ...Array<number>(Math.floor(lines.length / piece)).fill(piece),
    lines.length % piece,
  ]);
});

test('an empty file is no error', async () => {
  expect(await read(file('empty', ''))).toMatchObject({ size: 0, storage: undefined, text: '' });
});

test('gzip is recognised by its bytes, and its members are one input', async () => {
  const half = lines.length >> 1;
  const members = Buffer.concat([gzipSync(lines.slice(0, half)), gzipSync(lines.slice(half))]);
  const input = await read(file('looks-plain.hpl', members));
  expect(input.text === lines).toBe(true);
  expect(input).toMatchObject({ size: members.length, storage: 'gzip', damage: undefined });
});

test('a cut gzip gives all that it still holds', async () => {
  const packed = gzipSync(lines);
  const input = await read(file('cut.gz', packed.subarray(0, packed.length >> 1)));
  expect(lines.startsWith(input.text)).toBe(true);
  expect(input.text.length).toBeGreaterThan(lines.length * 0.4);
  expect(input.damage).toMatchObject({
    byteOffset: packed.length >> 1,
    found: 'the end of the file',
    expected: 'more compressed data',
  });
});

test('a gzip whose checksum is wrong keeps what was unpacked', async () => {
  const packed = gzipSync(lines);
  packed[packed.length - 8] ^= 1;
  const input = await read(file('flipped.gz', packed));
  expect(lines.startsWith(input.text)).toBe(true);
  expect(lines.length - input.text.length).toBeLessThan(65_536);
  expect(input.damage?.found).toBe('incorrect data check');
});

test('a damage within a small gzip costs little', async () => {
  const text = lines.slice(0, 50_000);
  const packed = gzipSync(text);
  const middle = packed.length >> 1;
  packed.fill(0xff, middle, middle + 100);
  const input = await read(file('holed.gz', packed));
  expect(input.damage?.byteOffset).toBeGreaterThan(middle * 0.85);
  expect(input.text.length).toBeGreaterThan(text.length * 0.3);
});

test('zeros after the last member are padding, anything else is damage', async () => {
  const packed = gzipSync(lines);
  const padded = await read(file('padded.gz', Buffer.concat([packed, Buffer.alloc(10_000)])));
  expect([padded.text === lines, padded.damage]).toEqual([true, undefined]);
  const followed = await read(file('followed.gz', Buffer.concat([packed, Buffer.from('no member')])));
  expect(followed.text.length).toBeGreaterThan(lines.length * 0.9);
  expect(followed.damage?.found).toBe('incorrect header check');
});

test.each([
  ['plain', Buffer.from('a log')],
  ['packed', gzipSync('a log')],
])('standard input, %s, even byte by byte', async (_, bytes) => {
  const stdin = Readable.from([...bytes].map((byte) => Buffer.from([byte])));
  expect((await read('-', () => stdin)).text).toBe('a log');
});

test('one byte of standard input', async () => {
  expect((await read('-', () => Readable.from([Buffer.from('x')]))).text).toBe('x');
});

test('what is no file is refused at once, with advice', () => {
  const folder = temporaryFolder();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const socket = join(folder, 'socket');
  const server = createServer().listen(socket);
  onTestFinished(() => void server.close());
  mkdirSync(join(folder, 'sub'));
  expect(refusal(folder)).toBe('SourceError FILE: is a directory; name a file inside it');
  expect(refusal(pipe)).toBe(
    'SourceError FILE: is a pipe; save it to a file, or give it on standard input with -',
  );
  expect(refusal('/dev/zero')).toBe('SourceError FILE: is a device; name a file');
  expect(refusal(socket)).toBe('SourceError FILE: is a socket; name a file');
  expect(refusal(join(folder, 'nothing'))).toBe('SourceError FILE: does not exist; check the path');
  expect(refusal(join(file('f', ''), 'below'))).toBe(
    'SourceError FILE: contains a part that is not a directory; check the path',
  );
});
