import { stat } from 'node:fs/promises';
import { ArchiveRoot } from './archive-root.ts';
import { FolderRoot } from './folder-root.ts';
import { SourceRefusal } from './source-file.ts';
import type { SourceNames } from './source-names.ts';
import type { FoundSource, SourceRoot } from './source-root.ts';

/** What is at a path that the user has chosen: a folder, or an archive. It may come later, or become the other one. */
export class UserRoot implements SourceRoot {
  readonly path: string;
  readonly #archive: ArchiveRoot;
  readonly #folder: FolderRoot;

  constructor(path: string) {
    this.path = path;
    this.#archive = new ArchiveRoot(path);
    this.#folder = new FolderRoot(path);
  }

  async find(names: SourceNames): Promise<FoundSource | undefined> {
    const isFile = await stat(this.path).then(
      (found) => found.isFile(),
      () => false,
    );
    return (isFile ? this.#archive : this.#folder).find(names);
  }
}

/** The first search in a large folder takes seconds. */
const WITHIN_MS = 20_000;

/**
 * A root that throws SourceRefusal when it does not answer, as on a network drive that is gone. Each search there holds
 * one of the four threads that Node has for files, so there is only one until it answers.
 */
export class AnsweringRoot implements SourceRoot {
  readonly #root: SourceRoot;
  readonly #withinMs: number;
  #overdue = 0;

  constructor(root: SourceRoot, withinMs = WITHIN_MS) {
    this.#root = root;
    this.#withinMs = withinMs;
  }

  get path(): string {
    return this.#root.path;
  }

  find(names: SourceNames): Promise<FoundSource | undefined> {
    const refusal = new SourceRefusal(`${this.path} does not answer.`);
    if (this.#overdue > 0) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      let isOverdue = false;
      const timer = setTimeout(() => {
        isOverdue = true;
        this.#overdue++;
        reject(refusal);
      }, this.#withinMs);
      timer.unref();
      void this.#root
        .find(names)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          if (isOverdue) this.#overdue--;
        });
    });
  }
}
