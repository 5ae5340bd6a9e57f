import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { fusesOf, usePackaged } from '../../support/package-program.ts';

useBuiltProgram();
const packaged = usePackaged('mac', 'dir');

const CONTENTS = 'out/mac/Leanscope.app/Contents';

test('the Finder opens logs with the program and shows them with their icon', () => {
  const plist = readFileSync(packaged(`${CONTENTS}/Info.plist`), 'utf8').replace(/\s+/gu, '');
  expect(plist).toContain(
    [
      '<key>CFBundleDocumentTypes</key><array><dict>',
      '<key>CFBundleTypeExtensions</key><array><string>hpl</string></array>',
      '<key>CFBundleTypeIconFile</key><string>document.icns</string>',
      '<key>CFBundleTypeName</key><string>HonestProfilerlog</string>',
      '<key>CFBundleTypeRole</key><string>Viewer</string>',
      '<key>LSHandlerRank</key><string>Owner</string>',
      '</dict></array>',
    ].join(''),
  );
  expect(plist).toContain('<key>ElectronAsarIntegrity</key>');
  for (const name of ['document.icns', 'icon.icns']) {
    const packed = readFileSync(packaged(`${CONTENTS}/Resources/${name}`));
    expect(packed.equals(readFileSync(inCheckout(`assets/${name}`))), name).toBe(true);
  }
});

test('the runtime runs nothing but the packaged program', () => {
  const framework = 'Frameworks/Electron Framework.framework/Electron Framework';
  expect(fusesOf(readFileSync(packaged(`${CONTENTS}/${framework}`)))).toEqual(['asarIntegrity', 'onlyAsar']);
});
