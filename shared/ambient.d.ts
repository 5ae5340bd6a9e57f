// What JavaScript environments have and the ECMAScript library, as it is set in tsconfig, lacks.
// Declared here instead of taking a whole environment's types, so that shared/ stays free of DOM and Node.

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBufferLike, options?: { stream?: boolean }): string;
}

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

/** ECMAScript 2024; in Node.js from version 22 on, in every browser since 2024. */
interface ArrayBuffer {
  transfer?(newByteLength: number): ArrayBuffer;
}
