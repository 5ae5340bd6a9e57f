import { getRawHeader } from '@electron/asar';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inCheckout, useBuiltProgram } from '../support/built-program.ts';
import { builderDescription } from '../support/builder-description.ts';
import { fusesOf, usePackaged } from '../support/package-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
      '</dict>',
    ].join(''),
  );
  const others = plist
    .split('CFBundleDocumentTypes')[1]
    .split('<dict>')
    .filter((type) => type.includes('<key>LSHandlerRank</key><string>Alternate</string>'))
    .map((type) =>
      [...type.split('</array>')[0].matchAll(/<string>(\w+)</gu)].map(([, name]) => name).join(' '),
    );
  expect(others).toEqual(['jfr', 'hprof', 'pprof', 'collapsed folded', 'trcbin trcxml']);
  // Electron compares the header of the archive with this before it reads anything in it.
  const { headerString } = getRawHeader(packaged(`${CONTENTS}/Resources/app.asar`));
  const hash = createHash('sha256').update(headerString).digest('hex');
  expect(plist).toContain(
    `<key>ElectronAsarIntegrity</key><dict><key>Resources/app.asar</key><dict><key>algorithm</key><string>SHA256</string><key>hash</key><string>${hash}</string>`,
  );
  for (const name of ['document.icns', 'icon.icns']) {
    const packed = readFileSync(packaged(`${CONTENTS}/Resources/${name}`));
    expect(packed.equals(readFileSync(inCheckout(`assets/${name}`))), name).toBe(true);
  }
});

test('the runtime runs nothing but the packaged program', () => {
  const framework = 'Frameworks/Electron Framework.framework/Electron Framework';
  expect(fusesOf(readFileSync(packaged(`${CONTENTS}/${framework}`)))).toEqual([
    'asarIntegrity',
    'onlyAsar',
    'wasmTrapHandlers',
  ]);
});

interface SignOptions {
  readonly optionsForFile: (file: string) => { readonly hardenedRuntime: boolean };
}

/** The parts of electron-builder that choose an identity and sign; it calls them on macOS only. */
interface Signer {
  findSigningIdentity(
    isMas: boolean,
    isDevelopment: boolean,
    qualifier: string | null | undefined,
    keychain: null,
    options: object,
  ): Promise<{ readonly name: string } | null>;
  buildSignOptions(
    app: string,
    identity: object,
    type: 'distribution',
    isMas: boolean,
    options: object,
    keychain: null,
    arch: undefined,
  ): Promise<SignOptions>;
}

/** Signs this bundle as electron-builder does on a Mac whose keychain has no certificate. */
async function sign(app: string) {
  const require = createRequire(inCheckout('node_modules/app-builder-lib/package.json'));
  const { MacTargetHelper } = require('./out/mac/MacTargetHelper.js') as {
    readonly MacTargetHelper: new (packager: object) => Signer;
  };
  const codeSign = require('./out/codeSign/macCodeSign.js') as {
    findIdentityRawResult: unknown;
    sign(options: object): Promise<void>;
  };
  codeSign.findIdentityRawResult = Promise.resolve([]);
  const { mac } = builderDescription();
  const packager = { platformSpecificBuildOptions: mac, resourceList: Promise.resolve([]), config: {} };
  const signer = new MacTargetHelper(packager);
  const identity = await signer.findSigningIdentity(false, false, mac.identity, null, mac);
  if (identity === null) throw new Error('electron-builder found no identity and would not sign');
  const options = await signer.buildSignOptions(app, identity, 'distribution', false, mac, null, undefined);

  const tools = temporaryFolder();
  const log = join(tools, 'calls');
  writeFileSync(join(tools, 'codesign'), `#!/bin/sh\necho "$*" >> '${log}'\n`);
  chmodSync(join(tools, 'codesign'), 0o755);
  vi.stubEnv('PATH', `${tools}${delimiter}${process.env.PATH ?? ''}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await codeSign.sign({ ...options, identity: identity.name });
  const calls = readFileSync(log, 'utf8').trimEnd().split('\n');
  return { calls, hardened: options.optionsForFile(app).hardenedRuntime };
}

test('without a certificate every program is signed ad hoc, the bundle last, and loads its own libraries', async () => {
  const app = packaged('out/mac/Leanscope.app');
  const { calls, hardened } = await sign(app);
  const signed = calls.filter((call) => call.startsWith('--sign - --force '));
  const programs = signed.map((call) => call.slice(call.indexOf(app)));
  expect(programs).toContain(`${app}/Contents/MacOS/Leanscope`);
  expect(programs.at(-1)).toBe(app);
  expect(calls.filter((call) => call.startsWith('--sign '))).toEqual(signed);
  expect(hardened).toBe(false);
});
