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

/** The part of js-yaml that is used; the package has no types. */
declare module 'js-yaml' {
  export class Type {
    readonly tag: string;
    constructor(tag: string, options: { kind: 'scalar' | 'sequence' | 'mapping'; multi: boolean });
  }
  export class Schema {
    extend(types: { explicit: readonly Type[] }): Schema;
  }
  export class YAMLException extends Error {
    readonly reason: string;
    readonly mark: { readonly position: number };
  }
  export const FAILSAFE_SCHEMA: Schema;
  export function load(text: string, options: { schema: Schema; json: boolean }): unknown;
}
