export type RecordingExtension = 'jfr' | 'tdump';

/** A series of thread dumps is a file; a flight recording is read where the JVM writes it. */
export function recordingExtension({ path }: { readonly path: string | undefined }): RecordingExtension {
  return path?.endsWith('.tdump') === true ? 'tdump' : 'jfr';
}

/** `com.acme.Shop (1234)` is saved as `com.acme.Shop-1234.jfr`. */
export function recordingFileName(logName: string, extension: RecordingExtension = 'jfr'): string {
  const stem = logName
    .replaceAll(/[^\w.$-]+/g, '-')
    .replaceAll(/^[.-]+|-+$/g, '')
    .slice(0, 100);
  return `${stem === '' ? 'recording' : stem}.${extension}`;
}
