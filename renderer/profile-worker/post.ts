import type { MirrorEvent } from './mirror-messages.ts';

/** Sends an event to the window. */
export type Post = (event: MirrorEvent) => void;
