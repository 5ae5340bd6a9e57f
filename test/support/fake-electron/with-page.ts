import { loadPreload, type LoadedPreload } from './load-preload.ts';
import type { FakeElectron } from './fake-electron.ts';
import type { FakeWindow } from './fake-window.ts';
import { startDesktop } from './start-desktop.ts';
import { TestClient } from '../test-client.ts';
import { waitFor } from '../wait-for.ts';

export interface GreetedPage {
  readonly electron: FakeElectron;
  readonly window: FakeWindow;
  readonly preload: LoadedPreload;
  /** The page's side of the protocol. */
  readonly client: TestClient;
}

/** A started program whose page is loaded and connected to the host. */
export async function withPage(args: readonly string[] = [], started?: FakeElectron): Promise<GreetedPage> {
  const electron = started ?? startDesktop(args);
  await electron.becomeReady();
  const [window] = electron.windows;
  const preload = loadPreload(window.webContents);
  const client = new TestClient(preload.transport());
  window.webContents.emit('did-finish-load');
  await waitFor(() => client.messages.length > 0, 'the greeting');
  return { electron, window, preload, client };
}

/** The names of the logs that the client knows to be open, in the order it heard of them. */
export const openedNames = (client: TestClient): readonly string[] =>
  client.messages.flatMap((message) => {
    if (message.type === 'hello') return message.logs.map(({ name }) => name);
    return message.type === 'opened' ? [message.log.name] : [];
  });
