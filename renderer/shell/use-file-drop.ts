import { useEffect } from 'react';
import { note, showNotice } from '../store/actions/actions.ts';
import { openDropped } from '../store/actions/log-actions.ts';
import { compareWithFiles } from '../store/actions/compare-actions.ts';
import { useWindow } from '../store/state/window-store.ts';
import { folderEntryHeader, tarFilling } from '../../shared/read/tar-header.ts';
import { printable } from '../../shared/text/printable.ts';

/**
 * Files and folders dropped anywhere in the window are opened, with Alt as the baseline of the active log. A
 * dropped link is ignored: a browser would leave the page for it.
 */
export function useFileDrop(): void {
  useEffect(() => {
    /** Elements entered and not left by the pointer; when there are none, the drag has left the window. */
    let inside = 0;
    const listening = new AbortController();
    const listen = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', on: (event: DragEvent) => void) =>
      window.addEventListener(type, on, { signal: listening.signal });
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
    /** A field takes text. */
    const isForText = (event: DragEvent): boolean =>
      !hasFiles(event) && event.target instanceof Element && event.target.closest('input, textarea') !== null;

    listen('dragenter', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside++;
      note({ dropping: true });
    });
    listen('dragover', (event) => {
      if (event.dataTransfer === null || isForText(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = hasFiles(event) ? 'copy' : 'none';
    });
    listen('dragleave', (event) => {
      if (!hasFiles(event)) return;
      inside = Math.max(0, inside - 1);
      if (inside === 0) note({ dropping: false });
    });
    listen('drop', (event) => {
      inside = 0;
      note({ dropping: false });
      if (event.dataTransfer === null || isForText(event)) return;
      event.preventDefault();
      if (!hasFiles(event)) return;
      const isBaseline = event.altKey;
      void Promise.all(Array.from(event.dataTransfer.items, droppedFile)).then((dropped) => {
        const files = dropped.filter((file) => file !== undefined);
        if (isBaseline) compareWithFiles(useWindow.getState().active, files);
        else openDropped(files);
      });
    });
    return () => listening.abort();
  }, []);
}

/**
 * A dropped item as a file. A folder is one for the desktop program, which knows its path; a browser reads the files in it
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
  const fileOf = (entry: FileSystemEntry): Promise<File | undefined> =>
    new Promise((resolve) => {
      (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined));
    });
  const shown = entries.filter(({ isFile, name }) => isFile && !name.startsWith('.'));
  const files = await Promise.all(shown.map(fileOf));
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
