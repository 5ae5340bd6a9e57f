/** One end of a connection between host and client. It delivers complete messages in order, text or binary. */
export interface Transport {
  send(message: string | ArrayBuffer): void;
  /** Number of bytes passed to `send` and not yet transmitted; 0 if the transport does not know it. */
  readonly queuedBytes: number;
  onMessage(listener: (message: string | ArrayBuffer) => void): void;
  /** The listener is called once, with a reason to show to the user. After that nothing can be sent. */
  onClose(listener: (reason: string) => void): void;
  close(): void;
}
