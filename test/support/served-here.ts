import { pathToFileURL } from 'node:url';
import { type RunningServer, startServer } from '../../electron/headless/serve.ts';
import { Host } from '../../electron/host/host.ts';
import { localSources } from '../../electron/host/host-sources.ts';
import { inCheckout } from './built-program.ts';

/** Of this process: they end with it. */
const servers = new Map<string, Promise<RunningServer>>();

/**
 * The address of a server in this process that shows one file, which takes half of the processor time that
 * `leanscope serve` takes. All tests of the process share it: they change neither the server nor the file, and it keeps no
 * settings.
 */
export async function servedHere(file: string): Promise<string> {
  let server = servers.get(file);
  if (server === undefined) {
    server = start(file);
    servers.set(file, server);
  }
  return (await server).url;
}

async function start(file: string): Promise<RunningServer> {
  const forget = (): void => undefined;
  const host = new Host({
    version: '0.0.0',
    capabilities: { openDialog: false, openDropped: false, jvms: 'option' },
    workerUrl: pathToFileURL(inCheckout('dist/electron/log-worker.cjs')),
    sampleFolder: undefined,
    recentFiles: { list: () => [], pathOf: () => undefined, add: forget, remove: () => false, forget },
    sources: localSources({
      settingsFolder: process.env.XDG_CONFIG_HOME!,
      write: () => undefined,
      roots: [],
    }),
  });
  const server = await startServer({ host, rendererFolder: inCheckout('dist/renderer'), port: 0 });
  await host.open(file, { show: true });
  return server;
}
