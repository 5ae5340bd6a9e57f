/** One record after another. */
export function hprofFile(
  { idSize = 4, magic = 'JAVA PROFILE 1.0.2', millis = 0 }: HprofHeader,
  ...records: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(12);
  header.writeUInt32BE(idSize);
  header.writeBigUInt64BE(BigInt(millis), 4);
  return new Uint8Array(Buffer.concat([Buffer.from(`${magic}\0`, 'latin1'), header, ...records]));
}

export interface HprofHeader {
  readonly idSize?: number;
  readonly magic?: string;
  readonly millis?: number;
}

/** Records of hprof files (specs: hprof, section 2), with identifiers of one size. */
export function hprofRecords(idSize: 4 | 8, micros = 0) {
  const id = (value: number): Buffer =>
    Buffer.concat([idSize === 4 ? Buffer.alloc(0) : Buffer.alloc(4), u4(value)]);
  const record = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.of(tag), u4(micros), u4(body.length), body]);
  };
  return {
    record,
    string: (string: number, text: string) => record(0x01, id(string), Buffer.from(text, 'utf8')),
    loadClass: (serial: number, name: number) => record(0x02, u4(serial), id(0), u4(0), id(name)),
    frame: (frame: number, method: number, source: number, classSerial: number, line: number) =>
      record(0x04, id(frame), id(method), id(0), id(source), u4(classSerial), u4(line)),
    trace: (trace: number, thread: number, ...frames: readonly number[]) =>
      record(0x05, u4(trace), u4(thread), u4(frames.length), ...frames.map(id)),
    startThread: (thread: number, name: number, group: number, parent: number) =>
      record(0x0a, u4(thread), id(1), u4(0), id(name), id(group), id(parent)),
    endThread: (thread: number) => record(0x0b, u4(thread)),
    cpuSamples: (total: number, ...rows: readonly (readonly [count: number, trace: number])[]) =>
      record(
        0x0d,
        u4(total),
        u4(rows.length),
        ...rows.map(([count, trace]) => Buffer.concat([u4(count), u4(trace)])),
      ),
    settings: (flags: number, depth: number) => record(0x0e, u4(flags), u4(depth).subarray(2)),
  };
}

function u4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
}
