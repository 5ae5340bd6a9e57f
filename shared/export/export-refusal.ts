/**
 * Nothing, or nothing that is of use, was written: the format cannot store this profile, or the profile does not contain
 * the requested method.
 */
export class ExportRefusal extends Error {
  override readonly name = 'ExportRefusal';
  readonly reason: 'too many samples' | 'too large' | 'unknown method' | 'no times';

  constructor(reason: ExportRefusal['reason'], text: string) {
    super(text);
    this.reason = reason;
  }
}
