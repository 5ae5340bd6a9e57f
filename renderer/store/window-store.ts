import { create } from 'zustand';
import { assert } from '../../shared/assert.ts';
import type { Host } from '../connection/connect.ts';
import type { HostClient } from '../connection/host-client.ts';
import type { Mirrors } from './mirrors.ts';
import { INITIAL_STATE, type WindowState } from './window-state.ts';

export const useWindow = create<WindowState>()(() => INITIAL_STATE);

/** What actions reach beyond the store. */
export interface Outside {
  readonly host: Pick<Host, 'openDropped' | 'isMac'>;
  readonly client: Pick<HostClient, 'send' | 'freeze' | 'thaw'>;
  readonly mirrors: Mirrors;
}

let outside: Outside | undefined;

export function connectStore(to: Outside): void {
  outside = to;
}

export function beyondStore(): Outside {
  assert(outside !== undefined, 'the window is started before anything can be done in it');
  return outside;
}
