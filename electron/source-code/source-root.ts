import type { SourceFile } from './source-file.ts';
import type { SourceNames } from './source-names.ts';

export interface FoundSource {
  readonly file: SourceFile;
  /** Further files of this name in the same package, in other parts of the root. */
  readonly others: number;
}

/** A folder or an archive in which sources are looked for. */
export interface SourceRoot {
  /** As the user gave it. */
  readonly path: string;
  /** Throws SourceRefusal if the root itself cannot be used. */
  find(names: SourceNames): Promise<FoundSource | undefined>;
}
