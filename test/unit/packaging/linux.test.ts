import { listPackage } from '@electron/asar';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { fusesOf, usePackaged } from '../../support/package-program.ts';

useBuiltProgram();
const packaged = usePackaged('linux', 'dir', 'deb', 'rpm');

const RESOURCES = 'out/linux-unpacked/resources';

const filesIn = (folder: string, prefix: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${prefix}/${entry.name}`;
    return entry.isDirectory() ? [name, ...filesIn(`${folder}/${entry.name}`, name)] : [name];
  });

test('what is packaged is the build, package.json and nothing else', () => {
  const listed = listPackage(packaged(`${RESOURCES}/app.asar`), { isPack: false });
  expect([...listed].sort()).toEqual(
    ['/dist', ...filesIn(inCheckout('dist'), '/dist'), '/package.json'].sort(),
  );
});

test('the samples lie beside the archive, where they are files like any other', () => {
  expect(filesIn(packaged(`${RESOURCES}/app.asar.unpacked`), '')).toEqual([
    '/dist',
    '/dist/assets',
    '/dist/assets/shop.hpl.gz',
    '/dist/assets/shop.jfr.gz',
  ]);
});

test('the runtime runs nothing but the packaged program', () => {
  expect(fusesOf(readFileSync(packaged('out/linux-unpacked/leanscope')))).toEqual([
    'asarIntegrity',
    'onlyAsar',
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
MimeType=application/x-hpl;
Categories=Development;Profiling;
`);
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
