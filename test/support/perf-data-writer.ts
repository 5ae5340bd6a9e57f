/** A perf data file of HotSpot, version 2, with these texts and numbers. */
export function perfDataOf(values: Readonly<Record<string, string | number>>, isLittle = true): Uint8Array {
  const entries = Object.entries(values).map(([name, value]) => entryOf(name, value, isLittle));
  const header = new Uint8Array(32);
  const view = new DataView(header.buffer);
  view.setUint32(0, 0xcafec0c0);
  // Byte order, version 2.0, accessible.
  header.set([isLittle ? 1 : 0, 2, 0, 1], 4);
  view.setUint32(24, header.length, isLittle);
  view.setUint32(28, entries.length, isLittle);
  return new Uint8Array(Buffer.concat([header, ...entries]));
}

function entryOf(name: string, value: string | number, isLittle: boolean): Uint8Array {
  const data = typeof value === 'string' ? Buffer.from(`${value}\0`) : new Uint8Array(8);
  const dataAt = Math.ceil((20 + name.length + 1) / 8) * 8;
  const bytes = new Uint8Array(Math.ceil((dataAt + data.length) / 8) * 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, isLittle);
  view.setUint32(4, 20, isLittle);
  view.setUint32(8, typeof value === 'string' ? data.length : 0, isLittle);
  bytes[12] = (typeof value === 'string' ? 'B' : 'J').charCodeAt(0);
  view.setUint32(16, dataAt, isLittle);
  bytes.set(Buffer.from(`${name}\0`), 20);
  bytes.set(data, dataAt);
  if (typeof value === 'number') view.setBigInt64(dataAt, BigInt(value), isLittle);
  return bytes;
}
