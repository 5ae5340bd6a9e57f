import { EventEmitter } from 'node:events';

let pending = 0;

/** Delivers a message as another process gets it: when whoever sent it has gone on. */
export function later(deliver: () => void): void {
  pending++;
  setImmediate(() => {
    pending--;
    deliver();
  });
}

/** Resolves when all messages between pages and the program are delivered, and those that they led to at once. */
export async function delivered(): Promise<void> {
  while (pending > 0) await new Promise(setImmediate);
}

/** A frame of a page; `sent` is what reached its preload script, as [channel, ...content]. */
export class FakeFrame {
  readonly sent: unknown[][] = [];
  /** The preload script's listener. */
  onSent: ((channel: string, content: unknown[]) => void) | undefined;
  readonly frameTreeNodeId: number;
  readonly parent: FakeFrame | null;
  origin: string;
  destroyed = false;
  detached = false;

  constructor(frameTreeNodeId: number, origin: string, parent: FakeFrame | null = null) {
    this.frameTreeNodeId = frameTreeNodeId;
    this.origin = origin;
    this.parent = parent;
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  send(channel: string, ...content: unknown[]): void {
    if (this.destroyed) throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    this.sent.push([channel, ...content]);
    const copy = structuredClone(content);
    later(() => this.onSent?.(channel, copy));
  }
}

export interface Prevented {
  readonly event: { preventDefault(): void };
  readonly isPrevented: () => boolean;
}

export function preventable(): Prevented {
  let prevented = false;
  return {
    event: { preventDefault: () => void (prevented = true) },
    isPrevented: () => prevented,
  };
}

export class FakeContents extends EventEmitter {
  readonly ipc = new EventEmitter();
  readonly calls: string[] = [];
  address = '';
  mainFrame = new FakeFrame(1, 'app://leanscope');
  destroyed = false;
  crashed = false;
  openHandler: ((details: { readonly url: string }) => { readonly action: string }) | undefined;

  isDestroyed(): boolean {
    return this.destroyed;
  }

  isCrashed(): boolean {
    this.#use();
    return this.crashed;
  }

  setWindowOpenHandler(handler: (details: { readonly url: string }) => { readonly action: string }): void {
    this.openHandler = handler;
  }

  reload(): void {
    this.#use();
    this.calls.push('reload');
    this.crashed = false;
  }

  forcefullyCrashRenderer(): void {
    this.#use();
    this.calls.push('forcefullyCrashRenderer');
  }

  crash(reason: string): void {
    this.crashed = true;
    this.emit('render-process-gone', {}, { reason, exitCode: 1 });
  }

  #use(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
  }

  getURL(): string {
    this.#use();
    return this.address;
  }

  /** True when the program refused that the page, or a frame in it, goes there. */
  refuses(navigation: string, url = 'https://evil.example/', isMainFrame = true): boolean {
    const { event, isPrevented } = preventable();
    this.emit(navigation, { ...event, url, isMainFrame }, url);
    return isPrevented();
  }

  /** Delivers a message from the page's preload script, or a forged one. */
  receive(
    channel: string,
    content: readonly unknown[],
    from: { readonly sender?: unknown; readonly senderFrame?: FakeFrame | null } = {},
  ): void {
    const event = { sender: this, senderFrame: this.mainFrame, ...from };
    this.ipc.emit(channel, event, ...content);
  }
}
