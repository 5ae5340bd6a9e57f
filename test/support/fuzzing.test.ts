import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { COLLAPSED } from '../../shared/formats/collapsed/format.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import { expectKeptLawful } from './format-laws.ts';
import { fuzzing } from './fuzzing.ts';
import { inCheckout } from './built-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

const INPUT = new TextEncoder().encode('main;Shop.serve 3\nmain;Shop.draw 4\n');

type Format = Pick<ProfileFormat, 'createDecoder'>;

/** Collapsed stacks, read by a decoder that is told the length of each piece first. */
function watched(onPiece: (bytes: number) => void): Format {
  return {
    createDecoder: (sink, chosen) => {
      const decoder = COLLAPSED.createDecoder(sink, chosen);
      const append = decoder.append.bind(decoder);
      decoder.append = (piece) => {
        onPiece(piece.length);
        append(piece);
      };
      return decoder;
    },
  };
}

test('an input that broke a law is kept with all its bytes, and read again from then on', () => {
  const cases = temporaryFolder();
  const fuzz = fuzzing('collapsed', '5', cases)!;
  expect(fuzz.count).toBe(5);
  fuzz.keep(INPUT, '7-12');
  const folder = join(cases, 'collapsed');
  expect(new Uint8Array(readFileSync(join(folder, '7-12')))).toEqual(INPUT);
  const read = (format: Format) => () => expectKeptLawful(format, folder, [NOTHING_CHOSEN]);
  expect(read(COLLAPSED)).not.toThrow();
  expect(
    read(
      watched(() => {
        throw new Error('out of range');
      }),
    ),
  ).toThrow('out of range');
  expect(
    read(
      watched((bytes) => {
        if (bytes === 7) throw new Error('a piece of 7');
      }),
    ),
  ).toThrow('a piece of 7');
});

test('a kept input is read in the same pieces each time, which are not those of another input', () => {
  const cases = temporaryFolder();
  const piecesOf = (name: string): readonly number[] => {
    const folder = join(cases, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), INPUT);
    const pieces: number[] = [];
    expectKeptLawful(
      watched((bytes) => pieces.push(bytes)),
      folder,
      [NOTHING_CHOSEN],
    );
    return pieces;
  };
  expect(piecesOf('7-12')).toEqual(piecesOf('7-12'));
  expect(piecesOf('7-13')).not.toEqual(piecesOf('7-12'));
});

test('an input that is not read to its end is kept, and its process ends', () => {
  const folder = join(temporaryFolder(), 'collapsed');
  const script = `
    import { watchInputs } from ${JSON.stringify(inCheckout('test/support/fuzz-watch.mjs'))};
    watchInputs(${JSON.stringify(folder)}, 1).begin(new TextEncoder().encode('hangs'));
    for (;;);
  `;
  const path = join(temporaryFolder(), 'hangs.mjs');
  writeFileSync(path, script);
  const { signal } = spawnSync(process.execPath, [path], { timeout: 120_000 });
  expect(signal).toBe('SIGKILL');
  const [name, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(name).toMatch(/^hangs-\d+$/);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('hangs');
});
