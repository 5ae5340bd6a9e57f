import { useEffect } from 'react';
import { setDropping, showNotice } from '../store/actions.ts';
import { openDropped } from '../store/log-actions.ts';
import { compareWithFiles } from '../store/compare-actions.ts';
import { useWindow } from '../store/window-store.ts';
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

    function hasFiles(event: DragEvent): boolean {
      return event.dataTransfer?.types.includes('Files') === true;
    }
    /** A field takes text. */
    function isForText(event: DragEvent): boolean {
      return (
        !hasFiles(event) &&
        event.target instanceof Element &&
        event.target.closest('input, textarea') !== null
      );
    }
    function onEnter(event: DragEvent): void {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside++;
      setDropping(true);
    }
    function onOver(event: DragEvent): void {
      if (event.dataTransfer === null || isForText(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = hasFiles(event) ? 'copy' : 'none';
    }
    function onLeave(event: DragEvent): void {
      if (!hasFiles(event)) return;
      inside = Math.max(0, inside - 1);
      if (inside === 0) setDropping(false);
    }
    function onDrop(event: DragEvent): void {
      inside = 0;
      setDropping(false);
      if (event.dataTransfer === null || isForText(event)) return;
      event.preventDefault();
      if (!hasFiles(event)) return;
      const isBaseline = event.altKey;
      void Promise.all(Array.from(event.dataTransfer.items, droppedFile)).then((dropped) => {
        const files = dropped.filter((file) => file !== undefined);
        if (isBaseline) compareWithFiles(useWindow.getState().active, files);
        else openDropped(files);
      });
    }

    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
}

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
