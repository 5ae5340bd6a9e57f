import { folderEntryHeader, tarFilling } from '../../shared/read/tar-header.ts';
import { printable } from '../../shared/text/printable.ts';
import { showNotice } from '../store/actions.ts';
import { useWindow } from '../store/window-store.ts';

/**
 * What was dropped, as a file. A folder is one for the desktop program, which knows its path; a browser reads the files in it
 * as an archive. Undefined if it is neither, or an empty folder, which is said. To be called within the event.
 */
export async function droppedFile(item: DataTransferItem): Promise<File | undefined> {
  const file = item.kind === 'file' ? item.getAsFile() : null;
  const entry = item.webkitGetAsEntry();
  if (entry?.isDirectory !== true || (useWindow.getState().capabilities.openDropped && file !== null))
    return file ?? undefined;
  const files = await filesIn(entry as FileSystemDirectoryEntry);
  if (files.length > 0) return asArchive(entry.name, files);
  showNotice('problem', `${printable(entry.name)} is a folder without files.`);
  return undefined;
}

/** The files in a folder, not those in its folders, as people sort them. */
async function filesIn(folder: FileSystemDirectoryEntry): Promise<readonly File[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (let more = true; more;) {
    // Chromium gives a hundred at a time.
    const next = await new Promise<readonly FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]));
    });
    entries.push(...next);
    more = next.length > 0;
  }
  const files = await Promise.all(
    entries
      .filter(({ isFile, name }) => isFile && !name.startsWith('.'))
      .map(
        (entry) =>
          new Promise<File | undefined>((resolve) => {
            (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined));
          }),
      ),
  );
  const byName = new Intl.Collator('en', { numeric: true });
  return files.filter((file) => file !== undefined).sort((a, b) => byName.compare(a.name, b.name));
}

function asArchive(name: string, files: readonly File[]): File {
  const parts = files.flatMap((file) => [
    new Uint8Array(folderEntryHeader(file.name, file.size)),
    file,
    new Uint8Array(tarFilling(file.size)),
  ]);
  return new File([...parts, new Uint8Array(1024)], name);
}
