/**
 *   missing      the path names nothing
 *   refused      the path names something that is not a regular file
 *   unreadable   the operating system reports an error, perhaps only for now
 */
type SourceErrorKind = 'missing' | 'refused' | 'unreadable';

/** The message is one line for the user, about something else than a bug. */
export class UserError extends Error {}

/** Why an input cannot be read, and what the user can do about it. */
export class SourceError extends UserError {
  override readonly name = 'SourceError';
  readonly path: string;
  /** A clause: 'is a directory'. */
  readonly reason: string;
  /** A clause in the imperative: 'name a file inside it'. */
  readonly advice: string;

  readonly kind: SourceErrorKind;

  constructor(path: string, reason: string, advice: string, kind: SourceErrorKind = 'unreadable') {
    super(`${path}: ${reason}; ${advice}`);
    this.path = path;
    this.reason = reason;
    this.advice = advice;
    this.kind = kind;
  }
}

/** The part of node:fs Stats that shows what kind of file it is. */
interface FileKind {
  isFile(): boolean;
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

/** A SourceError unless it is a regular file: reading a pipe, a device or a socket may never end. */
export function refusalOf(path: string, kind: FileKind): SourceError | undefined {
  if (kind.isFile()) return undefined;
  const refuse = (reason: string, advice: string) => new SourceError(path, reason, advice, 'refused');
  if (kind.isDirectory()) return refuse('is a directory', 'name a file inside it');
  if (kind.isFIFO()) return refuse('is a pipe', 'save it to a file, or give it on standard input with -');
  if (kind.isSocket()) return refuse('is a socket', 'name a file');
  return refuse('is a device', 'name a file');
}

/** The SourceError for an error of the operating system. */
export function sourceErrorOf(path: string, error: unknown): SourceError {
  const code = errnoOf(error);
  switch (code) {
    case 'ENOENT':
      return missingFile(path);
    case 'ENOTDIR':
      return new SourceError(path, 'contains a part that is not a directory', 'check the path', 'missing');
    case 'EACCES':
    case 'EPERM':
      return new SourceError(path, 'may not be read by this user', 'change its permissions');
    case 'EISDIR':
      return new SourceError(path, 'is a directory', 'name a file inside it', 'refused');
    case 'ELOOP':
      return new SourceError(path, 'is a loop of symbolic links', 'name the file itself');
    case 'ENAMETOOLONG':
      return new SourceError(path, 'is too long for a path', 'check the path');
    case 'ENXIO':
      return new SourceError(path, 'is a socket or a device', 'name a file', 'refused');
    case 'EMFILE':
    case 'ENFILE':
      return new SourceError(path, 'cannot be opened: too many files are open', 'close some logs');
    case 'EIO':
    case 'ESTALE':
      return new SourceError(path, `could not be read (${code})`, 'check the disk or the network drive');
    default:
      return new SourceError(
        path,
        `could not be read (${code ?? String(error)})`,
        'check that it can be opened by other programs',
      );
  }
}

/** Electron's dialogs replace bytes that are not UTF-8 by this character. */
const REPLACEMENT_CHARACTER = '\ufffd';

/** A missing file whose name has lost bytes. */
export const LOST_BYTES = {
  reason: 'was not found, probably because its name is not UTF-8',
  advice: 'rename it, or open it from a terminal: leanscope serve FILE',
};

export function hasLostBytes(path: string): boolean {
  return path.includes(REPLACEMENT_CHARACTER);
}

export function missingFile(path: string): SourceError {
  if (hasLostBytes(path)) return new SourceError(path, LOST_BYTES.reason, LOST_BYTES.advice, 'missing');
  return new SourceError(path, 'does not exist', 'check the path', 'missing');
}

/** The system's code of an error, such as 'ENOENT'. Undefined if the operating system did not cause the error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
