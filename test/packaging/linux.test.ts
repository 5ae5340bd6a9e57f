import { extractFile, listPackage, statFile } from '@electron/asar';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../support/built-program.ts';
import { builderDescription } from '../support/builder-description.ts';
import { fusesOf, usePackaged } from '../support/package-program.ts';
import { startDesktop } from '../support/fake-electron/start-desktop.ts';
import { withPage } from '../support/fake-electron/with-page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import { waitFor } from '../support/wait-for.ts';
import { missingFile, testUnless } from '../support/test-unless.ts';

const { readArchives } = createRequire(import.meta.url)('../support/fake-electron/asar-files.cjs') as {
  readonly readArchives: () => () => void;
};

useBuiltProgram();
const packaged = usePackaged('linux', 'dir', 'AppImage', 'deb', 'rpm');

const RESOURCES = 'out/linux-unpacked/resources';

const filesIn = (folder: string, prefix: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${prefix}/${entry.name}`;
    return entry.isDirectory() ? [name, ...filesIn(`${folder}/${entry.name}`, name)] : [name];
  });

/** The files of the build but those that packages of Linux install elsewhere: manual page and completion. */
const builtFiles = (prefix: string): readonly string[] =>
  filesIn(inCheckout('dist'), prefix).filter((name) => !name.startsWith(`${prefix}/shell`));

test('what is packaged is the build, package.json and nothing else', () => {
  const listed = listPackage(packaged(`${RESOURCES}/app.asar`), { isPack: false });
  expect([...listed].sort()).toEqual(['/dist', ...builtFiles('/dist'), '/package.json'].sort());
});

test('every file of the archive is that of the build, and its blocks have the hashes that Electron checks', () => {
  const archive = packaged(`${RESOURCES}/app.asar`);
  const files = builtFiles('dist').filter((name) => statSync(inCheckout(name)).isFile());
  for (const name of files) {
    const entry = statFile(archive, name);
    if (!('integrity' in entry) || entry.unpacked) continue;
    const content = extractFile(archive, name);
    expect(content.equals(readFileSync(inCheckout(name))), name).toBe(true);
    const { algorithm, blockSize, blocks } = entry.integrity;
    const hashes = Array.from({ length: Math.max(1, Math.ceil(content.length / blockSize)) }, (_, block) =>
      createHash(algorithm)
        .update(content.subarray(block * blockSize, (block + 1) * blockSize))
        .digest('hex'),
    );
    expect(blocks, name).toEqual(hashes);
  }
  expect(files.length).toBeGreaterThan(20);
});

test('the program runs inside of the archive: its page, its preload script, and its worker, which reads a log', async () => {
  const archive = packaged(`${RESOURCES}/app.asar`);
  onTestFinished(readArchives());
  const { main } = JSON.parse(fs.readFileSync(join(archive, 'package.json'), 'utf8')) as {
    readonly main: string;
  };
  const dist = dirname(dirname(join(archive, main)));
  const { electron, client, window } = await withPage([], startDesktop([], { dist }));
  for (const name of ['', ...pageScripts()])
    expect(electron.request(`app://leanscope/${name}`).status, name).toBe(200);
  const preload = window.options.webPreferences.preload as string;
  expect(dirname(preload)).toBe(join(dist, 'electron'));
  expect(fs.readFileSync(preload, 'utf8')).toBe(
    readFileSync(inCheckout('dist/electron/preload.cjs'), 'utf8'),
  );
  client.send({ type: 'openSample', sample: 'honest-profiler' });
  await waitFor(() => client.statuses.get(0 as LogId)?.samples === 5012, 'the samples');
});

/** The scripts of the page and of its workers. */
function pageScripts(): readonly string[] {
  const names = readdirSync(inCheckout('dist/renderer/assets')).filter((name) => name.endsWith('.js'));
  expect(names.some((name) => name.startsWith('mirror-worker'))).toBe(true);
  return names.map((name) => `assets/${name}`);
}

test('samples and icon lie beside the archive, where they are files like any other', () => {
  expect(filesIn(packaged(`${RESOURCES}/app.asar.unpacked`), '')).toEqual([
    '/dist',
    '/dist/assets',
    '/dist/assets/icon.png',
    '/dist/assets/shop.hpl.gz',
    '/dist/assets/shop.jfr.gz',
  ]);
});

test('the runtime runs nothing but the packaged program', () => {
  expect(fusesOf(readFileSync(packaged('out/linux-unpacked/leanscope')))).toEqual([
    'asarIntegrity',
    'onlyAsar',
    'wasmTrapHandlers',
  ]);
});

test('the desktop finds the program, and opens logs with it by their path', () => {
  expect(readFileSync(packaged('deb.leanscope.desktop'), 'utf8')).toBe(`[Desktop Entry]
Name=Leanscope
Exec=/opt/Leanscope/leanscope %F
Terminal=false
Type=Application
Icon=leanscope
StartupWMClass=leanscope
Comment=Desktop viewer for JVM sampling profiles that keeps still while the log grows
MimeType=${builderDescription().linux.mimeTypes.join(';')};
Categories=Development;Profiling;
`);
});

/** Keys and values of the entry that the desktop reads. */
const entry = (kind: string) =>
  new Map(
    readFileSync(packaged(`${kind}.leanscope.desktop`), 'utf8')
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  );

test('an rpm’s entry is the same, an AppImage’s passes addresses', () => {
  expect(entry('rpm')).toEqual(entry('deb'));
  expect(entry('appimage').get('Exec')).toBe('AppRun %U');
});

const VALIDATE = '/usr/bin/desktop-file-validate';

testUnless(missingFile(VALIDATE))('the desktop’s own check finds no fault in the entries', () => {
  for (const kind of ['deb', 'rpm', 'appimage']) {
    const { status, stdout } = spawnSync(VALIDATE, [packaged(`${kind}.leanscope.desktop`)], {
      encoding: 'utf8',
    });
    expect([kind, status, stdout]).toEqual([kind, 0, '']);
  }
});

test('an AppImage’s own script puts --no-sandbox first where there are no user namespaces', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'leanscope'), `#!/bin/sh\nprintf '%s\\n' "$@"\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const { stdout } = spawnSync(packaged('AppRun'), ['summary', 'a b.hpl'], {
    encoding: 'utf8',
    env: { ...process.env, APPDIR: folder },
  });
  expect(stdout.split('\n')).toEqual(['--no-sandbox', 'summary', 'a b.hpl', '']);
});

test.each(['deb', 'rpm'])('a .%s installs the type of a log and its icons', (kind) => {
  const inputs = readFileSync(packaged(`${kind}.arguments`), 'utf8')
    .split('\n')
    .filter((line) => line.includes('=/usr/share/'))
    .map((line) => line.split('='));
  expect(inputs.map(([, to]) => to)).toEqual(
    expect.arrayContaining([
      '/usr/share/mime/packages/leanscope.xml',
      '/usr/share/icons/hicolor/scalable/mimetypes/application-x-hpl.svg',
      '/usr/share/icons/hicolor/16x16/apps/leanscope.png',
      '/usr/share/icons/hicolor/512x512/apps/leanscope.png',
      '/usr/share/applications/leanscope.desktop',
    ]),
  );
  for (const [from] of inputs.filter(([from]) => from.startsWith('assets/')))
    expect(existsSync(inCheckout(from)), from).toBe(true);
  expect(readFileSync(packaged(`${kind}.leanscope.xml`), 'utf8')).toContain(
    '<mime-type type="application/x-hpl">',
  );
});

const UPDATE_MIME = '/usr/bin/update-mime-database';
const UPDATE_DESKTOP = '/usr/bin/update-desktop-database';
const GIO = '/usr/bin/gio';

/** A folder of the system's data with the types of the .deb. */
function dataWithTypes(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'mime/packages'), { recursive: true });
  writeFileSync(join(folder, 'mime/packages/leanscope.xml'), readFileSync(packaged('deb.leanscope.xml')));
  return folder;
}

/** Runs a tool of the desktop for which this folder is all that there is. Returns what it prints. */
function runIn(folder: string, ...[tool, ...args]: readonly [string, ...string[]]): string {
  const { status, stdout, stderr } = spawnSync(tool, args, {
    encoding: 'utf8',
    env: {
      ...process.env,
      LC_ALL: 'C',
      PKGSYSTEM_ENABLE_FSYNC: '0',
      XDG_DATA_DIRS: folder,
      XDG_DATA_HOME: join(folder, 'own'),
      XDG_CONFIG_DIRS: join(folder, 'none'),
      XDG_CONFIG_HOME: join(folder, 'none'),
    },
  });
  expect([status, stderr], [tool, ...args].join(' ')).toEqual([0, '']);
  return stdout;
}

testUnless(missingFile(UPDATE_MIME))(
  'the system knows a file’s type by its ending, as the .deb installs it',
  () => {
    const folder = dataWithTypes();
    runIn(folder, UPDATE_MIME, join(folder, 'mime'));
    const globs = readFileSync(join(folder, 'mime/globs2'), 'utf8')
      .split('\n')
      .filter((line) => /^\d/u.test(line));
    expect(globs.sort()).toEqual(
      [
        '50:application/x-hpl:*.hpl',
        '60:application/x-hpl:*.hpl.gz',
        '40:application/x-jfr:*.jfr',
        '60:application/x-jfr:*.jfr.gz',
        '40:application/x-java-hprof:*.hprof',
        '40:application/x-pprof:*.pprof',
        '40:text/x-collapsed-stacks:*.collapsed',
        '40:text/x-collapsed-stacks:*.folded',
        '40:application/x-tptp-trace:*.trcbin',
        '40:application/x-tptp-trace+xml:*.trcxml',
      ].sort(),
    );
  },
);

/** What the desktop opens files of these endings with: their default, and all that it offers. */
function handlers(folder: string, endings: readonly string[]): readonly string[] {
  return endings.map((ending) => {
    const file = join(folder, `a.${ending}`);
    writeFileSync(file, ending === 'trcxml' ? '<trace/>' : 'a;b 1\n');
    const info = runIn(folder, GIO, 'info', '-a', 'standard::content-type', file);
    const type = /content-type: (\S+)/u.exec(info)![1];
    const programs = runIn(folder, GIO, 'mime', type).match(/\w+(?=\.desktop)/gu) ?? [];
    const [first, ...others] = programs;
    return `${ending}: ${first}, of ${[...new Set(others)].join(' ')}`;
  });
}

testUnless([GIO, UPDATE_MIME, UPDATE_DESKTOP].map(missingFile).find((why) => why !== undefined))(
  'what opens a file by default stays so, and Leanscope is offered',
  () => {
    const folder = dataWithTypes();
    mkdirSync(join(folder, 'applications'));
    const define = (name: string, types: string) =>
      writeFileSync(
        join(folder, `mime/packages/${name}.xml`),
        `<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">${types}</mime-info>`,
      );
    const install = (name: string, types: string) =>
      writeFileSync(
        join(folder, `applications/${name}.desktop`),
        `[Desktop Entry]\nType=Application\nName=${name}\nExec=true %F\nMimeType=${types};\n`,
      );
    const update = () => {
      runIn(folder, UPDATE_MIME, join(folder, 'mime'));
      runIn(folder, UPDATE_DESKTOP, '-q', join(folder, 'applications'));
    };
    define(
      'system',
      `<mime-type type="text/plain"><comment>text</comment></mime-type>
       <mime-type type="application/xml"><comment>XML</comment><sub-class-of type="text/plain"/></mime-type>`,
    );
    install('leanscope', entry('deb').get('MimeType')!);
    update();
    expect(handlers(folder, ['hpl', 'jfr', 'trcbin', 'collapsed', 'trcxml'])).toEqual([
      'hpl: leanscope, of leanscope',
      'jfr: leanscope, of leanscope',
      'trcbin: leanscope, of leanscope',
      'collapsed: leanscope, of leanscope',
      'trcxml: leanscope, of leanscope',
    ]);

    install('editor', 'text/plain');
    install('mission', 'application/x-mission');
    define(
      'mission',
      '<mime-type type="application/x-mission"><comment>x</comment><glob pattern="*.jfr"/></mime-type>',
    );
    update();
    expect(handlers(folder, ['hpl', 'jfr', 'collapsed', 'folded', 'trcxml'])).toEqual([
      'hpl: leanscope, of leanscope',
      'jfr: mission, of mission',
      'collapsed: editor, of editor leanscope',
      'folded: editor, of editor leanscope',
      'trcxml: editor, of editor leanscope',
    ]);
  },
);

test('the command lies beside the program', () => {
  const command = packaged('out/linux-unpacked/bin/leanscope');
  expect(readFileSync(command).equals(readFileSync(inCheckout('assets/linux/leanscope.sh')))).toBe(true);
  expect(statSync(command).mode & 0o777).toBe(0o755);
});

/** Runs an installation script in a folder that stands for the root of the file system. */
function runScript(root: string, script: string, ...args: readonly string[]): void {
  const text = readFileSync(packaged(script), 'utf8').replaceAll(
    /(?<=[\s'"])\/(usr|etc|opt)\//gu,
    `${root}/$1/`,
  );
  const { status, stderr } = spawnSync('sh', ['-c', text, 'script', ...args], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${root}/tools${delimiter}${process.env.PATH ?? ''}` },
  });
  expect([status, stderr]).toEqual([0, '']);
}

/** As much of a system as the scripts touch; its tools do nothing and succeed. */
function systemRoot(): string {
  const root = temporaryFolder();
  for (const folder of ['usr/bin', 'usr/share', 'etc/apparmor.d', 'opt/Leanscope/resources', 'tools'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const name of [
    'apparmor_status',
    'apparmor_parser',
    'update-mime-database',
    'update-desktop-database',
    'unshare',
  ])
    writeFileSync(join(root, 'tools', name), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(root, 'tools/ischroot'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  writeFileSync(join(root, 'opt/Leanscope/chrome-sandbox'), '');
  writeFileSync(join(root, 'opt/Leanscope/resources/apparmor-profile'), 'profile');
  return root;
}

test.each([
  ['deb', 'upgrade', 'remove'],
  ['rpm', '1', '0'],
])(
  'a .%s installs the command and its profile, keeps them on upgrades, and removes them',
  (kind, upgrade, removal) => {
    const root = systemRoot();
    const command = join(root, 'usr/bin/leanscope');
    const profile = join(root, 'etc/apparmor.d/leanscope');
    runScript(root, `${kind}-after-install`);
    expect(readlinkSync(command)).toBe(join(root, 'opt/Leanscope/bin/leanscope'));
    expect(statSync(join(root, 'opt/Leanscope/chrome-sandbox')).mode & 0o7777).toBe(0o755);
    expect(readFileSync(profile, 'utf8')).toBe('profile');
    runScript(root, `${kind}-after-remove`, upgrade);
    expect([readlinkSync(command), existsSync(profile)]).toEqual([
      join(root, 'opt/Leanscope/bin/leanscope'),
      true,
    ]);
    runScript(root, `${kind}-after-remove`, removal);
    expect([readdirSync(join(root, 'usr/bin')), existsSync(profile)]).toEqual([[], false]);
  },
);

test('the profile for Ubuntu 24.04 is for the path of the program', () => {
  expect(readFileSync(packaged(`${RESOURCES}/apparmor-profile`), 'utf8')).toContain(
    'profile "leanscope" "/opt/Leanscope/leanscope" flags=(unconfined)',
  );
});

test('the guide says of each package whether it registers .hpl, and how the sandbox is had on Ubuntu 24.04', () => {
  const section = readFileSync(inCheckout('docs/user/installing.md'), 'utf8');
  expect(section).not.toMatch(/All register/u);
  expect(section).toContain('The tar.gz, the zip for Windows and the AppImage register nothing.');
  const unpacked = filesIn(packaged('out/linux-unpacked'), '');
  expect(unpacked.filter((name) => /\.(?:desktop|xml)$/u.test(name))).toEqual([]);
  // The same permission as in the profile of the .deb.
  expect(section).toMatch(/profile \S+ "\S+" flags=\(unconfined\) \{ userns, \}/u);
  expect(readFileSync(packaged(`${RESOURCES}/apparmor-profile`), 'utf8')).toMatch(
    /flags=\(unconfined\) \{\s+userns,/u,
  );
});
