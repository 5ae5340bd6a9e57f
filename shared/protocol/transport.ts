/** One end of a connection between host and client: whole messages, in order, either text or binary. */
export interface Transport {
  send(message: string | ArrayBuffer): void;
  /** Bytes handed to `send` and not yet taken by the other side's system; 0 where that cannot be known. */
  readonly queuedBytes: number;
  onMessage(listener: (message: string | ArrayBuffer) => void): void;
  /** Called once, with a reason for people; nothing can be sent any more. */
  onClose(listener: (reason: string) => void): void;
  close(): void;
}
