/** One end of a connection between host and client: complete messages, in order, either text or binary. */
export interface Transport {
  send(message: string | ArrayBuffer): void;
  /** Bytes passed to `send` and not yet transmitted; 0 where that cannot be known. */
  readonly queuedBytes: number;
  onMessage(listener: (message: string | ArrayBuffer) => void): void;
  /** Called once, with a reason to show to the user; nothing can be sent any more. */
  onClose(listener: (reason: string) => void): void;
  close(): void;
}
