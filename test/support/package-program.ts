import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { inCheckout } from './built-program.ts';

/** Marks, in Electron's binary, the place of its fuses: version 1, nine of them, all as Electron ships them. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const binary = Buffer.concat([
  Buffer.alloc(64),
  Buffer.from(SENTINEL),
  Buffer.from([1, 9]),
  Buffer.from('101100011'),
  Buffer.alloc(64),
]);

/** In the order in which they stand in the binary. */
const FUSES = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeCliInspect',
  'asarIntegrity',
  'onlyAsar',
  'v8Snapshot',
  'fileProtocolPrivileges',
  // electron-builder knows no name for it: it stays as Electron ships it.
  'wasmTrapHandlers',
];

/** The fuses that are on. */
export function fusesOf(file: Buffer): readonly string[] {
  const start = file.indexOf(SENTINEL) + SENTINEL.length + 2;
  return FUSES.filter((_name, index) => file[start + index] === '1'.charCodeAt(0));
}

function write(path: string, content: string | Buffer = 'x'): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode: 0o755 });
}

const PLIST =
  '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>x</string></dict></plist>\n';

/** As much of Electron's runtime as packaging looks at. */
function stubRuntime(folder: string): void {
  write(join(folder, 'win/electron.exe'), windowsProgram());
  for (const file of ['version', 'LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak', 'resources/x'])
    write(join(folder, 'win', file));
  write(join(folder, 'linux/electron'), binary);
  for (const file of ['version', 'LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak', 'resources/x'])
    write(join(folder, 'linux', file));
  const contents = join(folder, 'mac/Electron.app/Contents');
  write(join(contents, 'MacOS/Electron'), binary);
  write(join(contents, 'Info.plist'), PLIST);
  write(join(contents, 'Resources/en.lproj/x'));
  const framework = join(contents, 'Frameworks/Electron Framework.framework');
  write(join(framework, 'Electron Framework'), binary);
  write(join(framework, 'Versions/A/Resources/en.lproj/x'));
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const helper = `Electron Helper${kind}`;
    write(join(contents, `Frameworks/${helper}.app/Contents/Info.plist`), PLIST);
    write(join(contents, `Frameworks/${helper}.app/Contents/MacOS/${helper}`));
  }
}

/** The parts of resedit, with which electron-builder edits programs for Windows. */
interface ResEdit {
  readonly NtExecutable: {
    createEmpty(is32Bit: boolean, isDll: boolean): Executable;
    from(bytes: Buffer, options?: { readonly ignoreCert: boolean }): Executable;
  };
  readonly NtExecutableResource: { from(executable: Executable): Resources };
  readonly Resource: {
    readonly VersionInfo: { createEmpty(): VersionInfo; fromEntries(of: unknown): VersionInfo[] };
  };
}
interface Executable {
  generate(): ArrayBuffer;
  setExtraData(bytes: Buffer): void;
}
interface Resources {
  readonly entries: readonly {
    readonly type: string | number;
    readonly id: string | number;
    readonly bin: ArrayBuffer;
  }[];
  outputResource(executable: Executable): void;
}
interface VersionInfo {
  setStringValues(of: typeof LANGUAGE, values: Readonly<Record<string, string>>): void;
  getStringValues(of: typeof LANGUAGE): Readonly<Record<string, string>>;
  outputToResourceEntries(entries: Resources['entries']): void;
}

const LANGUAGE = { lang: 1033, codepage: 1200 };
const resEdit = createRequire(inCheckout('node_modules/app-builder-lib/package.json'))('resedit') as ResEdit;

/** A program for Windows without code, with a version and Electron's fuses. */
function windowsProgram(): Buffer {
  const executable = resEdit.NtExecutable.createEmpty(false, false);
  const resources = resEdit.NtExecutableResource.from(executable);
  const version = resEdit.Resource.VersionInfo.createEmpty();
  version.setStringValues(LANGUAGE, { FileDescription: 'Electron', ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(executable);
  executable.setExtraData(binary);
  return Buffer.from(executable.generate());
}

/** What a program for Windows says of itself, and what Electron compares its archive with. */
export function windowsResources(program: Buffer): {
  readonly version: Readonly<Record<string, string>>;
  readonly integrity: unknown;
} {
  const { entries } = resEdit.NtExecutableResource.from(
    resEdit.NtExecutable.from(program, { ignoreCert: true }),
  );
  const integrity = entries.find(({ type }) => type === 'INTEGRITY');
  const [version] = resEdit.Resource.VersionInfo.fromEntries(entries);
  return {
    version: version.getStringValues(LANGUAGE),
    integrity: integrity === undefined ? undefined : JSON.parse(Buffer.from(integrity.bin).toString()),
  };
}

/**
 * Stands in for fpm, which writes .deb and .rpm files: keeps its arguments, the two files that the desktop reads, and the
 * scripts that run on installation and removal.
 */
const FPM = `#!/bin/sh
out=$(dirname "$0")
printf '%s\\n' "$@" > "$out/$5.arguments"
kind=$5
for input; do
  case "$input" in *.desktop=*|*.xml=*) cp "\${input%%=*}" "$out/$kind.$(basename "\${input#*=}")";; esac
  case "$before" in --after-*) cp "$input" "$out/$kind\${before#-}";; esac
  before=$input
done
`;

/** Stands in for the tools that write an AppImage: keeps its entry for the desktop and the script that it starts with. */
function stubAppImageTools(folder: string): void {
  const tools = join(folder, 'appimage-tools');
  const copy = `#!/bin/sh
cp "$1"/*.desktop '${folder}/appimage.leanscope.desktop'
cp "$1/AppRun" '${folder}/AppRun'
echo image > "$2"
`;
  write(join(tools, `linux-${process.arch}/mksquashfs`), copy);
  write(join(tools, `linux-${process.arch}/desktop-file-validate`));
  write(join(tools, 'runtime-x64'));
  write(join(tools, 'lib/x64/x'));
}

/** Packages the built program with a stub of Electron's runtime; the function returned gives a path in the result. */
export function usePackaged(
  platform: 'linux' | 'mac' | 'win',
  ...targets: readonly string[]
): (path: string) => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'leanscope-package-'));
    stubRuntime(folder);
    write(join(folder, 'fpm'), FPM);
    stubAppImageTools(folder);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        inCheckout('node_modules/electron-builder/cli.js'),
        `--${platform}`,
        ...targets,
        '--x64',
        '--publish=never',
        `-c.electronDist=${join(folder, platform)}`,
        `-c.directories.output=${join(folder, 'out')}`,
      ],
      {
        cwd: inCheckout(),
        encoding: 'utf8',
        env: {
          ...process.env,
          CUSTOM_FPM_PATH: join(folder, 'fpm'),
          APPIMAGE_TOOLS_PATH: join(folder, 'appimage-tools'),
          CSC_IDENTITY_AUTO_DISCOVERY: 'false',
        },
      },
    );
    if (status !== 0) throw new Error(`electron-builder failed:\n${stdout}\n${stderr}`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (path) => join(folder, path);
}
