// The two globals that every JavaScript environment has and the ECMAScript library lacks.
// Declared here instead of taking a whole environment's types, so that shared/ stays free of DOM and Node.

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBufferLike, options?: { stream?: boolean }): string;
}

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
