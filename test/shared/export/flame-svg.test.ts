import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  exportFlameSvg,
  type FlameSvgOptions,
  fitText,
  textWidth,
} from '../../../shared/export/flame-svg.ts';
import { collectText, xmlSafe, xmlText } from '../../../shared/export/text-sink.ts';
import { callTreeOf } from '../../../shared/export/tree.ts';
import {
  COLOUR_BY,
  type ColourBy,
  type ColourScheme,
  frameStyle,
  type StyledFrame,
} from '../../../shared/text/frame-colour.ts';
import { keptRows } from '../../../shared/engine/views/filter.ts';
import { parseSearch } from '../../../shared/engine/views/search.ts';
import { HOSTILE_NAMES, randomName } from '../../support/hostile-names.ts';
import { hostileProfile } from '../../support/hostile-profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { goldenLog, readLog } from '../../support/read-log.ts';
import { isXml, textOfXml } from '../../support/strict-xml.ts';
import { testSeed } from '../../support/test-seed.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import { testUnless } from '../../support/test-unless.ts';

const { seed, randomFor } = testSeed('flame-svg');

const SHOP = `
  main         main         main      worker
  Shop.main    Shop.main    Shop.pay  Pool.run
  Cart.add     Cart.add               Cart.add
  Map.put      Map.get
`;

function svgOf(text: string, options: Partial<FlameSvgOptions> = {}): string {
  return svg({
    sums: callTreeOf(profileFromText(text).profile, { threads: 'all', frames: 'fqmn' }),
    ...options,
  });
}

function svg(options: Partial<FlameSvgOptions> & Pick<FlameSvgOptions, 'sums'>): string {
  const written = collectText((sink) =>
    exportFlameSvg(
      {
        metric: 'samples',
        siblings: 'name',
        units: SAMPLES_AND_TIME,
        zoom: undefined,
        search: undefined,
        kept: undefined,
        theme: 'light',
        colourBy: 'package',
        orientation: 'flame',
        title: 'shop.hpl',
        width: 1200,
        ...options,
      },
      sink,
    ),
  );
  expect(isXml(written)).toBe(true);
  return written;
}

interface Drawn {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly fill: string;
  /** Of its outline. */
  readonly stroke: string | undefined;
  readonly text: string | undefined;
}

/** The frames of a picture, as an XML parser reads them. */
function framesOf(picture: string): readonly Drawn[] {
  return shapesOf(picture).frames;
}

/** Frames, and the lines of blocks of narrow ones, which come before them. */
function shapesOf(picture: string): {
  readonly blocks: readonly string[];
  readonly frames: readonly Drawn[];
} {
  const lines = (/<g fill="[^"]*">\n(.*)\n<\/g>/s.exec(picture)?.[1] ?? '').split('\n');
  const isBlock = (line: string): boolean => line.includes('<path ');
  const frames = lines
    .filter((line) => !isBlock(line))
    .map((line) => {
      const [, title = '', x, y, width, fill, stroke, text] =
        /^<g><title>(.*?)<\/title><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="18" fill="([^"]+)"\/>(?:<rect [^>]* fill="none" stroke="([^"]+)"\/>)?(?:<text x="[\d.]+" y="[\d.]+"(?: fill="[^"]+")?>(.*?)<\/text>)?<\/g>$/.exec(
          line,
        ) ?? [];
      return { title, x: Number(x), y: Number(y), width: Number(width), fill, stroke, text };
    });
  return { blocks: lines.filter(isBlock), frames };
}

test('a frame is a title, a rectangle and a label, the root at the bottom', () => {
  const frames = framesOf(svgOf(SHOP));
  expect(frames.map(({ title, x, text }) => `${x} ${text}: ${title.replaceAll('&#10;', ' | ')}`)).toEqual([
    '12 All threads: All threads | 4 samples (100.00 %), 0 self, 4.00 ms',
    '12 Pool.run: Pool.run | 1 sample (25.00 %), 0 self, 1.00 ms',
    '306 Shop.main: Shop.main | 2 samples (50.00 %), 0 self, 2.00 ms',
    '894 Shop.pay: Shop.pay | 1 sample (25.00 %), 1 self, 1.00 ms',
    '12 Cart.add: Cart.add | 1 sample (25.00 %), 1 self, 1.00 ms',
    '306 Cart.add: Cart.add | 2 samples (50.00 %), 0 self, 2.00 ms',
    '306 Map.get: Map.get | 1 sample (25.00 %), 1 self, 1.00 ms',
    '600 Map.put: Map.put | 1 sample (25.00 %), 1 self, 1.00 ms',
  ]);
  expect(frames[0].y).toBeGreaterThan(frames[7].y);
  const icicle = framesOf(svgOf(SHOP, { orientation: 'icicle' }));
  expect(icicle[0].y).toBeLessThan(icicle[7].y);
});

test('colours show the package, the thread or the self weight; the footer says which', () => {
  const sums = callTreeOf(profileFromText(SHOP).profile, { threads: 'name', frames: 'fqmn' });
  const fillOf = (
    options: Partial<FlameSvgOptions> & Pick<ColourScheme, 'colourBy'>,
    frame: Omit<StyledFrame, 'kind' | 'match'>,
  ): void => {
    const fills = framesOf(svg({ sums, ...options }))
      .filter(({ title }) => title.startsWith(`${frame.label}&#10;`))
      .map(({ fill }) => fill);
    const wanted = frameStyle(
      { kind: 'frame', match: false, ...frame },
      { theme: 'light', colourBy: options.colourBy, searching: false },
    );
    expect(fills, frame.label).toContain(wanted.fill);
  };
  fillOf({ colourBy: 'thread' }, { label: 'Shop.pay', pool: 'main' });
  fillOf({ colourBy: 'thread' }, { label: 'Pool.run', pool: 'worker' });
  // The thread of what is below a zoom is not drawn.
  const { tree } = sums;
  const row = Array.from({ length: tree.length }, (_, at) => at).find(
    (at) => tree.label(at) === 'Shop.main',
  )!;
  fillOf({ colourBy: 'thread', zoom: { row, run: undefined } }, { label: 'Map.put', pool: 'main' });
  fillOf({ colourBy: 'self' }, { label: 'Shop.pay', selfShare: 1 / 4 });
  fillOf({ colourBy: 'self', zoom: { row, run: undefined } }, { label: 'Shop.main', selfShare: 0 });

  const saysBy = (colourBy: ColourBy): string | undefined =>
    /coloured by \w+/.exec(svg({ sums, colourBy }))?.[0];
  expect(COLOUR_BY.map(saysBy)).toEqual([undefined, 'coloured by thread', 'coloured by self']);
});

test('zoom shows its path, search its share; what it does not find steps back', () => {
  const sums = callTreeOf(profileFromText(SHOP).profile, { threads: 'name', frames: 'fqmn' });
  const row = Array.from({ length: sums.tree.length }, (_, at) => at).find(
    (at) => sums.tree.label(at) === 'Shop.main',
  )!;
  const picture = svg({ sums, zoom: { row, run: undefined }, search: parseSearch('map.G') });
  expect(picture).toContain('>main \u203a Shop.main</text>');
  expect(picture).toContain('>Matched 50.00 %: map.G</text>');
  const frames = framesOf(picture);
  expect(frames.map(({ text }) => text)).toEqual(['Shop.main', 'Cart.add', 'Map.get', 'Map.put']);
  expect(frames.filter(({ stroke }) => stroke !== undefined).map(({ text }) => text)).toEqual(['Map.get']);
  const whole = svg({ sums, search: parseSearch('Cart') });
  expect(whole).toContain('>Matched 75.00 %: Cart</text>');
  // Matches above matches count once.
  expect(svg({ sums, search: parseSearch('/add|map/') })).toContain('>Matched 75.00 %: /add|map/</text>');
});

test('the number of an unknown line is not shown', () => {
  const sums = callTreeOf(profileFromText(SHOP).profile, { threads: 'all', frames: 'line' });
  const frames = framesOf(svg({ sums }));
  expect(frames.length).toBeGreaterThan(5);
  for (const { title, text } of frames) expect(`${title} ${text}`).not.toContain(':-');
});

test('only rows that are kept are drawn', () => {
  const sums = callTreeOf(profileFromText(SHOP).profile, { threads: 'all', frames: 'fqmn' });
  const kept = keptRows(sums, { hideErrors: false, contains: ['Map.put'] });
  expect(framesOf(svg({ sums, kept })).map(({ text }) => text)).toEqual([
    'All threads',
    'Shop.main',
    'Cart.add',
    'Map.put',
  ]);
});

test('frames too narrow to draw are blocks that fill their place', () => {
  const { profile } = readLog(goldenLog('server-20mb'));
  const sums = callTreeOf(profile, { threads: 'name', frames: 'fqmn' });
  const picture = svg({ sums });
  expect(picture).toMatch(/[\d,]+ narrow frames grouped/);
  const { blocks, frames } = shapesOf(picture);
  expect(frames.every(({ title, width }) => title !== '' && width >= 0.5)).toBe(true);
  expect(blocks.length).toBeGreaterThan(50);
  expect(blocks.every((line) => line.startsWith('<g><title>'))).toBe(true);
  expect(Math.max(...frames.map(({ x, width }) => x + width))).toBeLessThanOrEqual(1188.01);
});

test('a block is hatched where two periods of the hatch fit', () => {
  const { profile } = readLog(goldenLog('server-small'));
  const sums = callTreeOf(profile, { threads: 'name', frames: 'fqmn' });
  // Blocks of one column are 11.76 wide, of two 23.52.
  const { blocks } = shapesOf(svg({ sums, pixels: 100 }));
  const widthOf = (line: string): number =>
    Math.max(
      ...Array.from(line.matchAll(/M([\d.]+) \d+h([\d.]+)/g), ([, x, width]) => Number(x) + Number(width)),
    ) - Math.min(...Array.from(line.matchAll(/M([\d.]+) /g), ([, x]) => Number(x)));
  const widths = (isHatched: boolean): number[] =>
    blocks.filter((line) => line.includes('url(#') === isHatched).map(widthOf);
  expect(Math.max(...widths(false))).toBeLessThan(12);
  expect(Math.min(...widths(true))).toBeGreaterThan(12);
});

test('X06: equal input gives equal bytes; light and dark are both whole pictures', () => {
  expect(svgOf(SHOP)).toBe(svgOf(SHOP));
  expect(svgOf(SHOP, { theme: 'dark' })).toContain('fill="#16181d"');
});

test('nothing to show is said', () => {
  expect(svgOf('main')).toContain('There are no samples to show.');
  expect(svgOf('main', { metric: 'time' })).toContain('There is no time to show');
});

test('X02: the picture is made of shapes and texts only, whatever methods are called', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(scenario);
    const names = scenario === 0 ? HOSTILE_NAMES : Array.from({ length: 30 }, () => randomName(random));
    const picture = svg({
      sums: callTreeOf(hostileProfile(names).profile, { threads: 'name', frames: 'line' }),
      title: names[0],
      search: parseSearch(names[1]),
      width: random.pick([200, 1200, 20_000]),
    });
    const where = `SEED=${seed} scenario ${scenario}`;
    expect(elementsOf(picture), where).toEqual(ALLOWED_ELEMENTS);
    // Only a match that is wide enough has an outline.
    expect([...new Set([...attributesOf(picture), 'stroke'])].sort(), where).toEqual(ALLOWED_ATTRIBUTES);
    expect(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(picture), where).toBe(false);
  }
});

test('X01: every UTF-16 unit gives valid XML that reads back as itself, or as U+FFFD', () => {
  for (let block = 0; block < 0x10000; block += 256) {
    const text = Array.from({ length: 256 }, (_, at) => String.fromCharCode(block + at)).join('.');
    const xml = `<a>${xmlText(text)}</a>`;
    expect(isXml(xml), `block ${block}`).toBe(true);
    expect(textOfXml(xml), `block ${block}`).toBe(xmlSafe(text));
  }
  expect(xmlSafe('a\ud83d\udd25b\ud83dc\udd25\0')).toBe('a\ud83d\udd25b\ufffdc\ufffd\ufffd');
});

test('X03: a label is shortened before it is escaped, and never inside a character', () => {
  const long = '<&>\u{1f525}e\u0301\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(5_000);
  for (let room = 0; room < 60; room += 0.5) {
    const fitted = fitText(long, room);
    expect(textWidth(fitted)).toBeLessThanOrEqual(Math.max(room, 0));
    expect(xmlSafe(fitted)).toBe(fitted);
    if (fitted !== '') expect(long.startsWith(fitted.slice(0, -1))).toBe(true);
    expect(fitted.slice(-2, -1)).not.toBe('\u200d');
  }
  expect(fitText('short', 100)).toBe('short');
});

test('a picture says what is counted and summed', () => {
  const units = {
    counted: { one: 'allocation', many: 'allocations' },
    value: { name: 'Size', unit: 'bytes' },
  } as const;
  const bySize = svgOf(SHOP, { metric: 'time', units });
  expect(bySize).toContain('Flame graph by size.');
  expect(bySize).toMatch(/4 allocations/);
  expect(bySize).not.toMatch(/samples?\b| (ms|ns)\b/);
});

test('X06: a large picture is written in small pieces', () => {
  const { profile } = readLog(goldenLog('server-small'));
  const sums = callTreeOf(profile, { threads: 'name', frames: 'fqmn' });
  let longest = 0;
  exportFlameSvg(
    {
      sums,
      metric: 'samples',
      units: SAMPLES_AND_TIME,
      zoom: undefined,
      search: undefined,
      kept: undefined,
      theme: 'dark',
      colourBy: 'package',
      orientation: 'icicle',
      title: 'server',
      width: 1200,
    },
    (text) => (longest = Math.max(longest, text.length)),
  );
  expect(longest).toBeLessThan(100_000);
});

const hasNoRsvg = spawnSync('rsvg-convert', ['--version']).error !== undefined;
testUnless(hasNoRsvg ? 'rsvg-convert is not installed' : undefined)('rsvg-convert draws it', () => {
  for (const theme of ['light', 'dark'] as const) {
    const png = execFileSync('rsvg-convert', ['--format', 'png'], { input: svgOf(SHOP, { theme }) });
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(1200);
  }
});

const ALLOWED_ELEMENTS = ['?xml', 'desc', 'g', 'rect', 'svg', 'text', 'title'];
const ALLOWED_ATTRIBUTES =
  'aria-label encoding fill font-family font-size font-weight height role stroke version viewBox width x xmlns y'.split(
    ' ',
  );

/** Tags can be told from texts by their `<` and `>`, because texts have neither. */
function elementsOf(picture: string): string[] {
  return [...new Set(Array.from(picture.matchAll(/<([^\s/>]+)/g), ([, name]) => name))].sort();
}

function attributesOf(picture: string): string[] {
  const tags = Array.from(picture.matchAll(/<[^/][^>]*>/g), ([tag]) => tag);
  const attributes = tags.flatMap((tag) =>
    Array.from(tag.matchAll(/\s([^\s=]+)="[^"]*"/g), ([, name]) => name),
  );
  return [...new Set(attributes)].sort();
}
