import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goldenPath } from '../../../support/read-log.ts';
import { cliOutput, runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { expect, test } from 'vitest';
import { LEANSCOPE_PAGE } from '../../../../shared/formats/leanscope-page/format.ts';
import { packPage } from '../../../../shared/page/packed-page.ts';
import { PACKED_MAGIC } from '../../../../shared/page/page-ids.ts';
import { checkProfile } from '../../../support/check-profile.ts';
import { contentOf, forgedPage, smallPage } from '../../../support/small-page.ts';
import { testFormatLaws } from '../../../support/format-laws.ts';
import { leanOf } from '../../../support/profile-tables.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { randomLog } from '../../../support/random-log.ts';
import { readLog } from '../../../support/read-log.ts';
import type { LeanProfile } from '../../../../shared/profile/lean-profile.ts';
import { decodeInput, readInput } from '../../../support/read-input.ts';
import { testSeed } from '../../../support/test-seed.ts';

const SHOP = profileFromText(`
  main       main         gc
  Shop.main  Shop.main    AGCT.GcActiveErr2
  Cart.add   Cart.add:12
`).profile;
const OTHER = profileFromText(`
  main       main
  Shop.main  Shop.main
  Cart.sum   Cart.add:12
`).profile;

/** A file with nothing but a packed profile. */
function packed(profile: LeanProfile): Buffer {
  const { logs, texts } = contentOf(profile);
  return Buffer.concat([Buffer.from(PACKED_MAGIC), packPage(texts, logs)]);
}

testFormatLaws({
  format: LEANSCOPE_PAGE,
  small: [...[smallPage(SHOP), smallPage(SHOP, OTHER)].map((page) => Buffer.from(page)), packed(SHOP)],
  chosen: [{}, { 'sample-type': 'base' }],
});

const read = (page: string, chosen = {}) => readInput(Buffer.from(page), chosen);
const problemOf = (page: string): string => {
  const { damage } = read(page).decoder;
  return damage === undefined ? '' : `${damage.byteOffset}: ${damage.found}; ${damage.expected}`;
};

test('a page has the profile that was written into it', () => {
  expect(leanOf(read(smallPage(SHOP)).profile)).toBe(leanOf(SHOP));
  expect(leanOf(read(smallPage(SHOP, OTHER)).profile)).toBe(leanOf(SHOP));
  expect(leanOf(read(smallPage(SHOP, OTHER), { 'sample-type': 'base' }).profile)).toBe(leanOf(OTHER));
  expect(leanOf(readInput(packed(SHOP)).profile)).toBe(leanOf(SHOP));
});

test('what was cut or edited is refused with its place', () => {
  const page = smallPage(SHOP);
  const from = page.indexOf('leanscope-profile">') + 'leanscope-profile">'.length;
  const cut = page.slice(0, from + 40);
  expect(problemOf(cut)).toBe(`${cut.length}: the end of the file; the rest of the profile`);
  const without = page.replace('leanscope-profile', 'other');
  expect(problemOf(without)).toBe(
    `${without.length}: the end of the file; an element with the id leanscope-profile`,
  );
  expect(problemOf(`${page.slice(0, from + 10)}*${page.slice(from + 11)}`)).toBe(
    `${from + 10}: the character "*"; base64`,
  );
  const flip = (at: number): string =>
    page.slice(0, at) + (page[at] === 'A' ? 'B' : 'A') + page.slice(at + 1);
  const end = page.indexOf('<', from);
  for (let at = from; at < end - 4; at += 7) {
    if (flip(at) === page) continue;
    expect(problemOf(flip(at)), `place ${at}`).toMatch(/; the packed profile as Leanscope wrote it$/);
  }
});

test('a drawing that was cut or edited is refused with its place, and one without its profile says so', async () => {
  const svg = await cliOutput('export', goldenPath('hello'), '--format', 'svg');
  expect(problemOf(svg)).toBe('');
  const from = svg.indexOf('<metadata id="leanscope-profile">') + '<metadata id="leanscope-profile">'.length;
  const bytes = (end: number): number => Buffer.byteLength(svg.slice(0, end));
  const cut = svg.slice(0, from + 100);
  expect(problemOf(cut)).toBe(`${bytes(from + 100)}: the end of the file; the rest of the profile`);
  expect(problemOf(`${svg.slice(0, from + 10)}*${svg.slice(from + 11)}`)).toBe(
    `${bytes(from + 10)}: the character "*"; base64`,
  );
  const other = svg[from + 50] === 'A' ? 'B' : 'A';
  expect(problemOf(svg.slice(0, from + 50) + other + svg.slice(from + 51))).toMatch(
    /; the packed profile as Leanscope wrote it$/,
  );
  const path = join(temporaryFolder(), 'drawn.svg');
  writeFileSync(path, svg.replace(/<metadata.*<\/metadata>/, ''));
  const { status, stderr } = await runCli(['summary', path]);
  expect([status, stderr]).toEqual([1, expect.stringContaining('drawn.svg: ')]);
});

test('data with a right checksum and wrong tables are refused, and never break a profile', () => {
  const { randomFor } = testSeed('forged pages');
  const content = contentOf(SHOP);
  let refused = 0;
  for (let run = 0; run < 2_000; run++) {
    const random = randomFor(run);
    const page = forgedPage(content, (bytes) => {
      for (let change = 0; change <= random.below(3); change++)
        bytes[random.below(bytes.length)] = random.pick([0, 1, 127, 128, 255, random.below(256)]);
      return random.below(10) === 0 ? bytes.slice(0, random.below(bytes.length)) : bytes;
    });
    const { profile, decoder } = read(page);
    expect(checkProfile(profile)).toEqual([]);
    if (decoder.damage !== undefined) refused++;
  }
  expect(refused).toBeGreaterThan(200);
});

test('the head says what is wrong with it', () => {
  const edit = (text: string, by: string): string =>
    forgedPage(contentOf(SHOP), (bytes) => {
      const length = new DataView(bytes.buffer).getUint32(0, true);
      const head = Buffer.from(bytes.subarray(4, 4 + length))
        .toString()
        .replace(text, by);
      const packed = Buffer.concat([Buffer.alloc(4), Buffer.from(head), bytes.subarray(4 + length)]);
      packed.writeUInt32LE(Buffer.byteLength(head), 0);
      return packed;
    });
  expect(problemOf(edit('"version":1', '"version":2'))).toContain(
    'version 2 of the page; version 1, or a later',
  );
  expect(problemOf(edit('"name":"log 0"', '"name":7'))).toContain('logs.0.name: ');
  expect(problemOf(edit('"deltas":[', '"deltas":[8,'))).not.toBe('');
});

test('random profiles with times come back to the bit', () => {
  const { randomFor } = testSeed('pages of random profiles');
  for (let run = 0; run < 50; run++) {
    const { profile } = readLog(randomLog(randomFor(run), { traces: 60, methods: 6 }), 1 << 20, {
      samples: true,
    });
    const page = Buffer.from(smallPage(profile));
    const { profile: back, decoder } = decodeInput(LEANSCOPE_PAGE, page, {}, 1 << 17, true);
    expect(decoder.damage).toBe(undefined);
    expect(leanOf(back)).toBe(leanOf(profile));
    expect(timesOf(back)).toEqual(timesOf(profile));
  }
});

/** When each sample was taken, where it ended, and its value. */
function timesOf({ samples, selfValues, nodes }: LeanProfile): readonly string[] {
  if (samples === undefined) return [];
  const { length, self, value } = samples;
  const depthOf = (node: number): number => (nodes.isRoot(node) ? 0 : 1 + depthOf(nodes.parent[node]));
  return Array.from({ length }, (_, row) =>
    [samples.timeOf(row), depthOf(selfValues.node[self[row]]), value.text(row)].join(' '),
  );
}
