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
