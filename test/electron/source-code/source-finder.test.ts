import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { AnsweringRoot, FolderRoot, UserRoot } from '../../../electron/source-code/source-roots.ts';
import { findJdks, type Jdk, newestFirst } from '../../../electron/source-code/jdks.ts';
import { sourceText } from '../../../electron/source-code/source-file.ts';
import { SourceFinder, type WantedClass } from '../../../electron/source-code/source-finder.ts';
import { sourceNames } from '../../../electron/source-code/source-names.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A folder with these files: path -> content. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function archiveOf(files: Readonly<Record<string, string>>): string {
  const content = zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
  );
  return join(folderOf({ 'lib-sources.jar': content }), 'lib-sources.jar');
}

function finderOf(paths: readonly string[], jdks: readonly Jdk[] = []): SourceFinder {
  const finder = new SourceFinder(() => Promise.resolve(jdks));
  finder.use(paths);
  return finder;
}

/** The text that is found, or what was looked for. */
async function find(
  finder: SourceFinder,
  className: string,
  rest: Partial<WantedClass> = {},
): Promise<string> {
  const found = await finder.find({ className, file: '', ...rest });
  if (found.kind === 'found') return sourceText(await found.file.read());
  return `missing: ${[...found.fileNames, ...found.problems].join(' ')}`;
}

test('in a folder: of packages, of a project, and of Kotlin, which needs no folders', async () => {
  const finder = finderOf([
    folderOf({
      'com/acme/Shop.java': 'direct',
      'app/src/main/java/com/acme/Cart.java': 'deep',
      'kotlin/Till.kt': 'package com.acme\nfun pay() {}',
      'kotlin/other/Till.kt': 'package com.other',
      'node_modules/com/acme/Hidden.java': 'never looked at',
    }),
  ]);
  expect(await find(finder, 'com.acme.Shop$Item')).toBe('direct');
  expect(await find(finder, 'com.acme.Cart')).toBe('deep');
  expect(await find(finder, 'com.acme.TillKt', { file: 'Till.kt' })).toContain('fun pay');
  expect(await find(finder, 'com.acme.Hidden', { file: 'Hidden.java' })).toBe('missing: Hidden.java');
});

test('in an archive, whose directory is read again when it has changed', async () => {
  const path = archiveOf({ 'com/acme/Lib.java': 'one' });
  const finder = finderOf([path]);
  expect(await find(finder, 'com.acme.Lib')).toBe('one');
  writeFileSync(path, zipSync({ 'com/acme/Lib.java': strToU8('another one') }));
  expect(await find(finder, 'com.acme.Lib')).toBe('another one');
  writeFileSync(path, 'no archive');
  expect(await find(finder, 'com.acme.Lib', { file: 'Lib.java' })).toContain('is damaged at byte 10');
});

test('the first root that has the file is used, and others are counted', async () => {
  const first = folderOf({ 'a/com/acme/Shop.java': 'short', 'longer/com/acme/Shop.java': 'long' });
  const finder = finderOf([first, archiveOf({ 'com/acme/Shop.java': 'archived', 'x/Y.java': 'y' })]);
  const found = await finder.find({ className: 'com.acme.Shop', file: '' });
  expect(found).toMatchObject({ kind: 'found', others: 1, jdk: undefined });
  expect(await find(finder, 'com.acme.Shop')).toBe('short');
  expect(await find(finder, 'x.Y')).toBe('y');
});

test('a link inside of the root is followed, one that leads out is not', async () => {
  const secret = folderOf({ 'Secret.java': 'secret', 'com/acme/Far.java': 'far' });
  const root = folderOf({ 'com/acme/Shop.java': 'shop' });
  symlinkSync('Shop.java', join(root, 'com/acme/Alias.java'));
  symlinkSync(join(secret, 'Secret.java'), join(root, 'com/acme/Secret.java'));
  symlinkSync(join(secret, 'com'), join(root, 'out'));
  const finder = finderOf([root]);
  expect(await find(finder, 'com.acme.Alias')).toBe('shop');
  expect(await find(finder, 'com.acme.Secret', { file: 'Secret.java' })).toBe('missing: Secret.java');
  expect(await find(finder, 'out.acme.Far', { file: 'Far.java' })).toBe('missing: Far.java');
  // The root itself may be one.
  const link = join(temporaryFolder(), 'link');
  symlinkSync(root, link);
  expect(await find(finderOf([link]), 'com.acme.Shop')).toBe('shop');
});

test('a folder is not a source, whatever its name, and a long file is refused', async () => {
  const root = folderOf({ 'com/acme/Big.java': new Uint8Array((4 << 20) + 1) });
  mkdirSync(join(root, 'com/acme/Dir.java'));
  const finder = finderOf([root]);
  await expect(find(finder, 'com.acme.Dir')).rejects.toThrow('is not a regular file');
  await expect(find(finder, 'com.acme.Big')).rejects.toThrow('is larger than 4 MB');
});

test('a file that is new is found after a while', async () => {
  let now = 0;
  const folder = folderOf({ 'src/com/acme/Shop.java': 'shop' });
  const root = new FolderRoot(folder, () => now);
  const isFound = async (className: string): Promise<boolean> =>
    (await root.find(sourceNames(className, '')!)) !== undefined;
  expect([await isFound('com.acme.Shop'), await isFound('com.acme.New')]).toEqual([true, false]);
  appendFileSync(join(folder, 'src/com/acme/New.java'), 'new');
  expect(await isFound('com.acme.New')).toBe(false);
  now = 20_000;
  expect(await isFound('com.acme.New')).toBe(true);
});

test('JDKs: of JAVA_HOME, of the PATH, of installers; each once, with its version', async () => {
  const jdk = (version: string, place = 'lib/src.zip'): Record<string, string> => ({
    [`${version}/${place}`]: '',
    [`${version}/release`]: `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\nJAVA_VERSION_DATE="2025-01-01"\n`,
    [`${version}/bin/java`]: '',
  });
  const user = folderOf({ '.sdkman/candidates/java/none/bin/java': '' });
  const folder = folderOf({
    ...jdk('17.0.9'),
    ...jdk('1.8.0_392', 'src.zip'),
    ...jdk('21.0.1'),
    ...jdk('9'),
  });
  mkdirSync(join(user, '.jdks'));
  symlinkSync(join(folder, '21.0.1'), join(user, '.jdks', 'twenty-one'));
  const path = temporaryFolder();
  symlinkSync(join(folder, '1.8.0_392/bin/java'), join(path, 'java'));
  const found = await findJdks({
    env: { JAVA_HOME: join(folder, '17.0.9'), PATH: `:${path}` },
    platform: 'none',
    userFolder: user,
  });
  // This machine may have others.
  const made = found.filter(({ home }) => home.startsWith(realpathSync(folder)));
  expect(made.map(({ version }) => version)).toEqual(['17.0.9', '1.8.0_392', '21.0.1']);
});

/** A JDK at JAVA_HOME with this file `release`. */
async function versionOf(makeRelease: (path: string) => void): Promise<string | undefined> {
  const home = folderOf({ 'lib/src.zip': '' });
  makeRelease(join(home, 'release'));
  const places = { env: { JAVA_HOME: home }, platform: 'none', userFolder: temporaryFolder() };
  const jdks = await findJdks(places);
  return jdks.find((jdk) => jdk.home === realpathSync(home))?.version;
}

test('JDKs: only the beginning of a file release is read', async () => {
  const line = 'JAVA_VERSION="17"\n';
  const padded = (bytes: number) => (path: string) => writeFileSync(path, `${'\n'.repeat(bytes)}${line}`);
  expect(await versionOf(padded(1_000))).toBe('17');
  expect(await versionOf(padded(1 << 20))).toBe('');
});

testUnless(process.platform === 'win32' ? 'Windows has no mkfifo' : undefined)(
  'JDKs: a pipe in place of the file release is not read',
  async () => {
    expect(await versionOf((path) => void spawnSync('mkfifo', [path]))).toBe('');
  },
);

test('JDKs are tried by their versions, the newest first', () => {
  const jdks = ['17.0.9', '21.0.1', '1.8.0_392', '17.0.10', ''].map((version) => ({
    home: '/jdk',
    sources: '/jdk/src.zip',
    version,
  }));
  const versions = newestFirst(jdks).map(({ version }) => version);
  expect(versions).toEqual(['21.0.1', '17.0.10', '17.0.9', '1.8.0_392', '']);
});

test('classes of the JDK come last, from its archive with modules', async () => {
  const sources = archiveOf({ 'java.base/java/util/HashMap.java': 'map' });
  const jdk: Jdk = { home: '/jdk', sources, version: '17' };
  expect(await find(finderOf([], [jdk]), 'java.util.HashMap$Node')).toBe('map');
  const own = folderOf({ 'java/util/HashMap.java': 'mine' });
  expect(await find(finderOf([own], [jdk]), 'java.util.HashMap$Node')).toBe('mine');
});

test('of several JDKs the one in which the recorded lines are in the method is chosen, otherwise the newest', async () => {
  const file = (above: number): string =>
    [
      'package java.util;',
      'class HashMap<K, V> {',
      ...Array.from({ length: above }, () => '    // added'),
      '    HashMap(int size) {',
      '        if (size < 0)',
      '            throw new IllegalArgumentException(text(size));',
      '    }',
      '    public V put(K key,',
      '                 V value) {',
      '        return putVal(hash(key), key, value);',
      '    }',
      '    final V get(Object key) { return null; }',
      '}',
    ].join('\n');
  const jdkOf = (version: string, above: number): Jdk => ({
    home: `/jdk${version}`,
    sources: archiveOf({ 'java.base/java/util/HashMap.java': `${file(above)}\n// ${version}` }),
    version,
  });
  const jdks = [jdkOf('17.0.9', 0), jdkOf('25', 20), jdkOf('21', 10)];
  const chosen = async (method: string, lines: readonly number[]): Promise<string> =>
    (await find(finderOf([], jdks), 'java.util.HashMap', { method, lines })).split('// ').at(-1)!;
  expect(await chosen('put', [9])).toBe('17.0.9');
  expect(await chosen('put', [19])).toBe('21');
  expect(await chosen('put', [29])).toBe('25');
  expect(await chosen('<init>', [5, 6])).toBe('17.0.9');
  expect(await chosen('lambda$put$3', [19])).toBe('21');
  // Nothing tells them apart: the newest.
  expect(await chosen('put', [])).toBe('25');
  expect(await chosen('other', [9])).toBe('25');
  const unfit = async (lines: readonly number[]): Promise<boolean | undefined> => {
    const wanted = { className: 'java.util.HashMap', file: '', method: 'put', lines };
    const found = await finderOf([], [jdks[0]]).find(wanted);
    return found.kind === 'found' ? found.isUnfit : undefined;
  };
  // The release that ran the program is known: another one is not chosen because a line fits, but where it is alone.
  const ofRelease = async (javaVersion: string, lines: readonly number[]): Promise<string> => {
    const wanted = { method: 'put', lines, javaVersion };
    return (await find(finderOf([], jdks), 'java.util.HashMap', wanted)).split('// ').at(-1)!;
  };
  expect(await ofRelease('17.0.15', [29])).toBe('17.0.9');
  expect(await ofRelease('21', [])).toBe('21');
  expect(await ofRelease('1.8.0_412', [19])).toBe('21');
  expect([await unfit([9, 30]), await unfit([9, 30, 31]), await unfit([])]).toEqual([false, true, false]);
});

const installed = await findJdks({ env: process.env, platform: process.platform, userFolder: homedir() });

testUnless(installed.length === 0 ? 'no JDK of this machine has a src.zip' : undefined)(
  'a JDK of this machine: java.util.HashMap has its text',
  async () => {
    const text = await find(finderOf([], installed), 'java.util.HashMap$Node', {
      file: 'HashMap.java',
    });
    expect(text).toContain('public class HashMap<K,V>');
  },
);

test('an archive that comes later, and is replaced by another one or by a folder', async () => {
  const path = join(temporaryFolder(), 'lib-sources.jar');
  const finder = finderOf([path]);
  expect(await find(finder, 'com.acme.Shop')).toContain('missing');
  const archive = (text: string): Uint8Array =>
    zipSync({ 'com/acme/Shop.java': [strToU8(text), { level: 0 }] });
  writeFileSync(path, archive('old!'));
  expect(await find(finder, 'com.acme.Shop')).toBe('old!');
  // Of the same size, at the same time, as a build with fixed time stamps makes it.
  const { atime, mtime } = statSync(path);
  rmSync(path);
  writeFileSync(path, archive('new!'));
  utimesSync(path, atime, mtime);
  expect(await find(finder, 'com.acme.Shop')).toBe('new!');
  rmSync(path);
  mkdirSync(join(path, 'com/acme'), { recursive: true });
  writeFileSync(join(path, 'com/acme/Shop.java'), 'in a folder');
  expect(await find(finder, 'com.acme.Shop')).toBe('in a folder');
});

/** An archive of nothing but a directory with so many entries. */
function archiveOfNames(count: number): Buffer {
  const name = (at: number): string => `com/acme/C${String(at).padStart(6, '0')}.java`;
  const entry = 46 + name(0).length;
  const bytes = Buffer.alloc(count * entry + 22);
  for (let at = 0; at < count; at++) {
    bytes.writeUInt32LE(0x02014b50, at * entry);
    bytes.writeUInt16LE(name(0).length, at * entry + 28);
    bytes.write(name(at), at * entry + 46);
  }
  bytes.writeUInt32LE(0x06054b50, count * entry);
  bytes.writeUInt32LE(count * entry, count * entry + 12);
  return bytes;
}

test('while a large directory is read, the host answers others', async () => {
  const path = join(folderOf({ 'many.jar': archiveOfNames(60_000) }), 'many.jar');
  const finder = finderOf([path]);
  let turns = 0;
  let isFound = false;
  const count = (): void => {
    turns++;
    if (!isFound) setImmediate(count);
  };
  setImmediate(count);
  const found = await Promise.all(
    ['com.acme.C059999', 'com.acme.C000000', 'com.acme.D'].map((className) =>
      finder.find({ className, file: '' }),
    ),
  );
  isFound = true;
  expect(found.map(({ kind }) => kind)).toEqual(['found', 'found', 'missing']);
  expect(turns).toBeGreaterThan(30);
});

test('a root that does not answer is said, and asked again only when it has', async () => {
  const answers: (() => void)[] = [];
  const root = new AnsweringRoot(
    {
      path: '/mnt/gone',
      find: () => new Promise((resolve) => void answers.push(() => resolve(undefined))),
    },
    10,
  );
  const folder = folderOf({ 'com/acme/Shop.java': 'shop' });
  const finder = new SourceFinder(
    () => Promise.resolve([]),
    (path) => (path === '/mnt/gone' ? root : new UserRoot(path)),
  );
  finder.use(['/mnt/gone', folder]);
  expect(await find(finder, 'com.acme.Shop')).toBe('shop');
  expect(await find(finder, 'com.acme.Cart')).toContain('/mnt/gone does not answer.');
  expect(answers).toHaveLength(1);
  answers[0]();
  await new Promise((done) => setImmediate(done));
  const again = find(finder, 'com.acme.Cart');
  await waitFor(() => answers.length === 2, 'the root to be asked again');
  answers[1]();
  await again;
});
