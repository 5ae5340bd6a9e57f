import { MessageCursor, type Range, Wire } from '../../read/protobuf.ts';

/** The name of a service that does not say its own, as OpenTelemetry has it. */
const UNKNOWN_SERVICE = 'unknown_service';

/** The messages of each service in a message, by name: the profiles of its resources, and the dictionary. */
export function byService(message: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const resources = new Map<string, Uint8Array[]>();
  const common: Uint8Array[] = [];
  const cursor = new MessageCursor(message);
  let from = 0;
  while (cursor.next()) {
    const field = message.subarray(from, cursor.at);
    from = cursor.at;
    if (cursor.field !== 1 || cursor.wire !== Wire.bytes) {
      common.push(field);
      continue;
    }
    const service = serviceOf(message, cursor);
    const known = resources.get(service);
    if (known === undefined) resources.set(service, [field]);
    else known.push(field);
  }
  return new Map(
    Array.from(resources, ([service, fields]) => [service, concatenated([...fields, ...common])]),
  );
}

/** The attribute `service.name` of a resource. */
function serviceOf(message: Uint8Array, profiles: Range): string {
  for (const resource of messagesIn(message, profiles, 1))
    for (const attribute of messagesIn(message, resource, 1)) {
      const key = messagesIn(message, attribute, 1).at(0);
      if (key === undefined || textOf(message, key) !== 'service.name') continue;
      for (const value of messagesIn(message, attribute, 2)) {
        const name = messagesIn(message, value, 1).at(0);
        if (name !== undefined && name.to > name.from) return textOf(message, name);
      }
    }
  return UNKNOWN_SERVICE;
}

function messagesIn(message: Uint8Array, { from, to }: Range, field: number): Range[] {
  const found: Range[] = [];
  const cursor = new MessageCursor(message, from, to);
  while (cursor.next())
    if (cursor.field === field && cursor.wire === Wire.bytes)
      found.push({ from: cursor.from, to: cursor.to });
  return found;
}

function textOf(message: Uint8Array, { from, to }: Range): string {
  return new TextDecoder().decode(message.subarray(from, to));
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
