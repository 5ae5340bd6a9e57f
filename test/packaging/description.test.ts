import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { builderDescription } from '../support/builder-description.ts';
import { inCheckout, useBuiltProgram } from '../support/built-program.ts';

/** What electron-builder itself checks its description with. */
const require = createRequire(inCheckout('node_modules/app-builder-lib/package.json'));
const { default: Ajv } = require('ajv') as {
  readonly default: new (options: object) => {
    compile(schema: object): { (value: unknown): boolean; readonly errors?: readonly object[] | null };
  };
};

useBuiltProgram();

const text = readFileSync(inCheckout('electron-builder.yml'), 'utf8');
const description = builderDescription();

const validate = new Ajv({ strict: false }).compile(
  JSON.parse(readFileSync(inCheckout('node_modules/app-builder-lib/scheme.json'), 'utf8')) as object,
);

test('electron-builder knows every word of its description', () => {
  validate(description);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ ...description, mimeTypes: [] }), 'the check itself').toBe(false);
});

test('every system gets its packages', () => {
  expect(description.linux.target).toEqual(['AppImage', 'deb', 'rpm', 'tar.gz']);
  expect(description.win.target).toEqual(['nsis', 'zip']);
  expect(description.mac.target.map(({ target }) => target)).toEqual(['dmg', 'zip']);
});

test('the type of a log is the same in the menu entry and in the type that is installed', () => {
  const xml = readFileSync(inCheckout('assets/linux/leanscope-mime.xml'), 'utf8');
  for (const type of description.linux.mimeTypes) expect(xml).toContain(`<mime-type type="${type}">`);
});

/** Width and height of a PNG, from its header. */
const sizeOf = (png: Buffer) => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;

test('icons are drawn in every size, each as large as its name says', () => {
  const names = readdirSync(inCheckout('assets/icons'));
  expect(names.map((name) => sizeOf(readFileSync(inCheckout(`assets/icons/${name}`))) + '.png')).toEqual(
    names,
  );
  for (const size of ['16x16', '32x32', '48x48', '256x256', '512x512'])
    expect(names).toContain(`${size}.png`);
});

test.each(['icon', 'document'])('%s.ico and .icns hold the sizes that Windows and macOS ask for', (name) => {
  const ico = readFileSync(inCheckout(`assets/${name}.ico`));
  const widths = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => ico[6 + 16 * index] || 256);
  expect(widths).toEqual([16, 24, 32, 48, 64, 128, 256]);

  const icns = readFileSync(inCheckout(`assets/${name}.icns`));
  expect(icns.readUInt32BE(4)).toBe(icns.length);
  const images: string[] = [];
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4))
    images.push(`${icns.toString('latin1', at, at + 4)} ${sizeOf(icns.subarray(at + 8))}`);
  expect(images).toEqual([
    'ic11 32x32',
    'ic12 64x64',
    'ic07 128x128',
    'ic08 256x256',
    'ic09 512x512',
    'ic10 1024x1024',
    'ic13 256x256',
    'ic14 512x512',
  ]);
});

test('everything that the description names exists', () => {
  const named = [...text.matchAll(/assets\/[\w./-]+/gu)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((path) => !existsSync(inCheckout(path)))).toEqual([]);
});

test('the program never looks for a new version, as the guide says', () => {
  expect(readFileSync(inCheckout('docs/user/installing.md'), 'utf8')).toContain(
    'Leanscope never looks for a new version and sends nothing',
  );
  // electron-builder would have packages with the address of their updates.
  expect(text).toMatch(/^publish: null$/m);
  for (const name of readdirSync(inCheckout('dist/electron')))
    expect(readFileSync(inCheckout(`dist/electron/${name}`), 'utf8'), name).not.toMatch(
      /autoUpdater|setFeedURL/i,
    );
});
