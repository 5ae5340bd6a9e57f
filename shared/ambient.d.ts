// Classes that browsers and Node have and TypeScript's ECMAScript library lacks. They are declared here, because the
// types of a whole environment would allow shared/ to use the DOM or Node.

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
