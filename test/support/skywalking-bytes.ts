/** One snapshot of a thread's stack; ids are absent where the exporter leaves them out. */
export interface WrittenSnapshot {
  readonly taskId?: string;
  readonly segmentId?: string;
  readonly ms: number;
  readonly sequence: number;
  /** Root first. */
  readonly stack: readonly string[];
}

/**
 * ThreadSnapshot messages, each preceded by its length (SkyWalking, profile/Profile.proto), as protobuf's writer does
 * it.
 */
export function snapshotStream(snapshots: readonly WrittenSnapshot[]): Uint8Array {
  return joined(
    snapshots.map(({ taskId = '', segmentId = '', ms, sequence, stack }) => {
      const signatures = joined(stack.map((signature) => delimited(1, text(signature))));
      const message = joined([
        taskId === '' ? none : delimited(1, text(taskId)),
        segmentId === '' ? none : delimited(2, text(segmentId)),
        // Zeros are not written.
        ms === 0 ? none : joined([varint(3 * 8), varint(ms)]),
        sequence === 0 ? none : joined([varint(4 * 8), varint(sequence)]),
        delimited(5, signatures),
      ]);
      return joined([varint(message.length), message]);
    }),
  );
}

export interface WrittenFile {
  readonly name: string;
  readonly content: Uint8Array | string;
}

/** An archive as `tar` writes it (ustar). */
export function tarArchive(files: readonly WrittenFile[]): Uint8Array {
  const parts = files.flatMap(({ name, content }) => {
    const bytes = typeof content === 'string' ? text(content) : content;
    return [tarHeader(name, bytes.length), bytes, new Uint8Array((512 - (bytes.length % 512)) % 512)];
  });
  return joined([...parts, new Uint8Array(1024)]);
}

function tarHeader(name: string, size: number): Uint8Array {
  const header = new Uint8Array(512);
  const put = (at: number, value: string): void => header.set(text(value), at);
  put(0, name);
  put(100, '0000644\0');
  put(124, `${size.toString(8).padStart(11, '0')}\0`);
  put(136, '00000000000\0');
  put(148, '        ');
  put(156, '0');
  put(257, 'ustar\x0000');
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return header;
}

function delimited(field: number, content: Uint8Array): Uint8Array {
  return joined([varint(field * 8 + 2), varint(content.length), content]);
}

export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

const none = new Uint8Array(0);

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** How the exporter names a file in its archive: everything lies in one folder of the current one. */
export function exportedName(file: string): string {
  return ['.', 'work', file].join('/');
}
