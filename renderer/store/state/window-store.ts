import { create } from 'zustand';
import { assert } from '../../../shared/assert.ts';
import type { Host } from '../../connection/connect.ts';
import type { HostClient } from '../../connection/host-client.ts';
import type { MirrorRequest } from '../../profile-worker/mirror-messages.ts';
import type { RowsPaneId } from '../panes/panes.ts';
import { INITIAL_STATE, type LogKey, type WindowDialog, type WindowState } from './window-state.ts';
import { notify } from './state-changes.ts';
import type { ClientMessage } from '../../../shared/protocol/client-messages.ts';
import { errorMessage } from '../../../shared/text/error-message.ts';

export const useWindow = create<WindowState>()(() => INITIAL_STATE);

/** Whether the dialog of this kind is open. */
export const useIsOpen = (kind: WindowDialog['kind']): boolean =>
  useWindow(({ dialog }) => dialog?.kind === kind);

/** Asks the profile worker about logs. */
interface AskedMirrors {
  post(log: LogKey, request: MirrorRequest, transfer?: Transferable[]): void;
  postRows(log: LogKey, pane: RowsPaneId, from: number, count: number): void;
}

/** Services outside of the store that actions use. */
interface Services {
  readonly host: Pick<Host, 'openDropped' | 'isMac' | 'files'>;
  readonly client: Pick<HostClient, 'send'>;
  readonly mirrors: AskedMirrors;
}

let connected: Services | undefined;

export function connectStore(to: Services): void {
  connected = to;
}

/** Whether keys are written as on a Mac. */
export const isMac = (): boolean => connected?.host.isMac === true;

/** Sends the host a message. */
export function send(message: ClientMessage): void {
  services().client.send(message);
}

export function services(): Services {
  assert(connected !== undefined, 'the window is started before anything can be done in it');
  return connected;
}

type Subscriber = (state: WindowState, before: WindowState) => void;

/**
 * Calls a function after each change of the store, until the returned function is called. An error in it reaches neither
 * other subscribers nor what changed the store: it is reported as an uncaught one, and the first one in a notice.
 */
export function subscribe(subscriber: Subscriber): () => void {
  let isTold = false;
  return useWindow.subscribe((state, before) => {
    try {
      subscriber(state, before);
    } catch (error) {
      reportError(error);
      if (isTold) return;
      isTold = true;
      const text = errorMessage(error);
      const said = `A part of the window stopped: ${text}. Reload it if something is missing.`;
      useWindow.setState((now) => notify(now, 'problem', said));
    }
  });
}
