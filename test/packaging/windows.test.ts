import { getRawHeader } from '@electron/asar';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileExtensions } from '../../shared/formats/formats.ts';
import { inCheckout, useBuiltProgram } from '../support/built-program.ts';
import { fusesOf, usePackaged, windowsResources } from '../support/package-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { missingFile, testUnless } from '../support/test-unless.ts';

const INCLUDE = inCheckout('assets/windows/open-with.nsh');
useBuiltProgram();
const packaged = usePackaged('win', 'dir');
const FOLDER = 'out/win-unpacked';

test('the runtime runs nothing but the packaged program, whose archive it compares with its own resource', () => {
  const program = readFileSync(packaged(`${FOLDER}/Leanscope.exe`));
  expect(fusesOf(program)).toEqual(['asarIntegrity', 'onlyAsar', 'wasmTrapHandlers']);
  const { version, integrity } = windowsResources(program);
  expect(version).toMatchObject({ ProductName: 'Leanscope', FileDescription: 'Leanscope' });
  const { headerString } = getRawHeader(packaged(`${FOLDER}/resources/app.asar`));
  const value = createHash('sha256').update(headerString).digest('hex');
  // Electron looks for it by this name (shell/common/asar/archive_win.cc).
  expect(integrity).toEqual([{ file: 'resources\\app.asar', alg: 'SHA256', value }]);
});

const MAKENSIS = '/usr/bin/makensis';

test('"Open with" is offered for files of other programs, and none is taken from them', () => {
  const script = readFileSync(INCLUDE, 'utf8');
  const extensions = [...script.matchAll(/SupportedTypes" "\.(\w+)"/gu)].map(([, extension]) => extension);
  expect(extensions).toEqual(['jfr', 'hprof', 'pprof', 'collapsed', 'folded', 'trcbin', 'trcxml']);
  expect(extensions.filter((extension) => !fileExtensions().includes(extension))).toEqual([]);
  // The key of an extension itself would name what opens it by default.
  expect(script).not.toMatch(/Classes\\\./u);
});

testUnless(missingFile(MAKENSIS))('the installer’s script compiles', () => {
  const folder = temporaryFolder();
  const script = join(folder, 'installer.nsi');
  // What electron-builder's template defines before it inserts the two macros.
  writeFileSync(
    script,
    `Unicode true
OutFile "${join(folder, 'out.exe')}"
!define PRODUCT_NAME "Leanscope"
!define APP_EXECUTABLE_FILENAME "Leanscope.exe"
Var appExe
!include "${INCLUDE}"
Section
  StrCpy $appExe "$INSTDIR\\Leanscope.exe"
  !insertmacro customInstall
  WriteUninstaller "$INSTDIR\\uninstall.exe"
SectionEnd
Section un.install
  !insertmacro customUnInstall
SectionEnd
`,
  );
  const { status, stdout } = spawnSync(MAKENSIS, ['-V2', '-WX', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});
