import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { inCheckout } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const { version } = JSON.parse(readFileSync(inCheckout('node_modules/electron/package.json'), 'utf8')) as {
  readonly version: string;
};
const NAME = process.platform === 'win32' ? 'electron.exe' : 'electron';
const ARCHIVE = `electron-v${version}-linux-${process.arch}.zip`;

/** A stub of the runtime. */
const archive = Buffer.from(
  zipSync(
    {
      [NAME]: new TextEncoder().encode('#!/bin/sh\n'),
      version: new TextEncoder().encode(version),
    },
    { level: 0 },
  ),
);

type Answer = (response: ServerResponse) => void;

/** A mirror of Electron's releases, which answers requests for the archive so. */
async function mirror(answer: Answer): Promise<string> {
  const server: Server = createServer(({ url = '' }, response) => {
    if (url.endsWith('SHASUMS256.txt'))
      response.end(`${createHash('sha256').update(archive).digest('hex')} *${ARCHIVE}\n`);
    else if (url.endsWith(ARCHIVE)) answer(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

/** Electron's npm package as npm installs it: with its installer, without its runtime. */
function electronPackage(): string {
  const modules = join(temporaryFolder(), 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(inCheckout('node_modules')))
    if (name !== 'electron' && !name.startsWith('.'))
      symlinkSync(inCheckout(`node_modules/${name}`), join(modules, name), 'junction');
  const electron = join(modules, 'electron');
  mkdirSync(electron);
  for (const name of ['install.js', 'package.json', 'checksums.json'])
    cpSync(inCheckout(`node_modules/electron/${name}`), join(electron, name));
  return electron;
}

interface Download {
  readonly electron: string;
  readonly output: () => string;
  readonly ended: () => boolean;
}

function download(url: string, electron = electronPackage()): Download {
  const module = new URL('../../../electron/setup/fetch-runtime.mjs', import.meta.url).href;
  // Tells of whatever would end the installer after a time.
  const script = `import children from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    const { spawnSync } = children;
    children.spawnSync = (file, args, options) => {
      if ('timeout' in options) console.log('limited');
      return spawnSync(file, args, options);
    };
    syncBuiltinESMExports();
    const { downloadRuntime } = await import(${JSON.stringify(module)});
    downloadRuntime(${JSON.stringify(electron)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      ...process.env,
      ELECTRON_MIRROR: url,
      ELECTRON_INSTALL_PLATFORM: 'linux',
      electron_use_remote_checksums: '1',
      electron_config_cache: join(temporaryFolder(), 'cache'),
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let ended = false;
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.once('close', () => (ended = true));
  return { electron, output: () => output, ended: () => ended };
}

const FIRST_LINE = "Downloading Electron's runtime, once (about 120 MB) …\n";

test('the runtime is downloaded once, however long it takes', async () => {
  const url = await mirror((response) => response.end(archive));
  const { electron, output, ended } = download(url);
  await waitFor(ended, 'its end');
  expect(output()).toBe(FIRST_LINE);
  expect(readFileSync(join(electron, 'path.txt'), 'utf8')).toBe('electron');
  expect(existsSync(join(electron, 'dist/electron'))).toBe(true);

  const again = download('http://127.0.0.1:1/', electron);
  await waitFor(again.ended, 'its end');
  expect(again.output()).toBe('');
});

test('a failed download says so, with the reason of the installer', async () => {
  const url = await mirror((response) => void response.writeHead(503).end());
  const { output, ended } = download(url);
  await waitFor(ended, 'its end');
  expect(output()).toContain('503');
  expect(output()).toMatch(/Electron's runtime could not be downloaded\.\n$/);
});
