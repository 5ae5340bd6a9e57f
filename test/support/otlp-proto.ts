import protobuf from 'protobufjs';

/** `name: number type`, with `*` for lists: the fields of opentelemetry-proto that profiles use, in version 1.10 and 1.11. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ProfilesData: { resourceProfiles: '1 *ResourceProfiles', dictionary: '2 ProfilesDictionary' },
  ProfilesDictionary: {
    mappingTable: '1 *Mapping',
    locationTable: '2 *Location',
    functionTable: '3 *Function',
    linkTable: '4 *Link',
    stringTable: '5 *string',
    attributeTable: '6 *KeyValueAndUnit',
    stackTable: '7 *Stack',
  },
  ResourceProfiles: { resource: '1 Resource', scopeProfiles: '2 *ScopeProfiles', schemaUrl: '3 string' },
  ScopeProfiles: { scope: '1 InstrumentationScope', profiles: '2 *Profile', schemaUrl: '3 string' },
  Profile: {
    sampleType: '1 ValueType',
    samples: '2 *Sample',
    timeUnixNano: '3 fixed64',
    durationNano: '4 uint64',
    periodType: '5 ValueType',
    period: '6 int64',
    profileId: '7 bytes',
    droppedAttributesCount: '8 uint32',
    originalPayloadFormat: '9 string',
    originalPayload: '10 bytes',
    attributeIndices: '11 *int32',
  },
  Sample: {
    stackIndex: '1 int32',
    attributeIndices: '2 *int32',
    linkIndex: '3 int32',
    values: '4 *int64',
    timestampsUnixNano: '5 *fixed64',
  },
  ValueType: { typeStrindex: '1 int32', unitStrindex: '2 int32' },
  Mapping: {
    memoryStart: '1 uint64',
    memoryLimit: '2 uint64',
    fileOffset: '3 uint64',
    filenameStrindex: '4 int32',
  },
  Stack: { locationIndices: '1 *int32' },
  Location: { mappingIndex: '1 int32', address: '2 uint64', lines: '3 *Line', attributeIndices: '4 *int32' },
  Line: { functionIndex: '1 int32', line: '2 int64', column: '3 int64' },
  Function: {
    nameStrindex: '1 int32',
    systemNameStrindex: '2 int32',
    filenameStrindex: '3 int32',
    startLine: '4 int64',
  },
  Link: { traceId: '1 bytes', spanId: '2 bytes' },
  KeyValueAndUnit: { keyStrindex: '1 int32', value: '2 AnyValue', unitStrindex: '3 int32' },
  Resource: { attributes: '1 *KeyValue' },
  InstrumentationScope: { name: '1 string', version: '2 string' },
  KeyValue: { key: '1 string', value: '2 AnyValue' },
  AnyValue: { stringValue: '1 string', boolValue: '2 bool', intValue: '3 int64' },
  ExportProfilesServiceResponse: { partialSuccess: '1 ExportProfilesPartialSuccess' },
  ExportProfilesPartialSuccess: { rejectedProfiles: '1 int64', errorMessage: '2 string' },
};

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries(MESSAGES).map(([message, fields]) => [
      message,
      {
        // One of them is there, even if it is 0.
        ...(message === 'AnyValue' ? { oneofs: { value: { oneof: Object.keys(fields) } } } : {}),
        fields: Object.fromEntries(
          Object.entries(fields).map(([name, field]) => {
            const [id, type] = field.split(' ');
            const isList = type.startsWith('*');
            return [
              name,
              {
                id: Number(id),
                type: isList ? type.slice(1) : type,
                ...(isList ? { rule: 'repeated' } : {}),
              },
            ];
          }),
        ),
      },
    ]),
  ),
});

/** A message as another reader of protobuf reads it; throws if it has a field that the published form does not. */
export function decodeOtlp(type: string, bytes: Uint8Array): object {
  const message = root.lookupType(type);
  const decoded = message.decode(bytes);
  const object = message.toObject(decoded, { longs: String, defaults: true });
  // What is not known is left out by writing it again.
  const again = message.encode(message.fromObject(object)).finish();
  if (again.length !== bytes.length)
    throw new Error(`${bytes.length - again.length} bytes of unknown fields`);
  return object;
}

export function encodeOtlp(type: string, message: Readonly<Record<string, unknown>>): Uint8Array {
  const of = root.lookupType(type);
  return of.encode(of.fromObject(message)).finish();
}
