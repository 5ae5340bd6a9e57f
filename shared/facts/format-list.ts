/** The id of a format, as in its `ProfileFormat`: 'jfr'. */
export type FormatId = string;

/** Formats as the start page lists them. */
export interface FormatGroup {
  readonly title: string;
  /** `files`: endings of their names, such as '.hprof .txt'. */
  readonly formats: readonly { readonly name: string; readonly files: string }[];
}
