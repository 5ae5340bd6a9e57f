import { useEffect } from 'react';
import { setDropping } from '../store/actions.ts';
import { openDropped } from '../store/log-actions.ts';
import { compareWithFiles } from '../store/compare-actions.ts';
import { useWindow } from '../store/window-store.ts';
import { droppedFile } from './dropped-file.ts';

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
