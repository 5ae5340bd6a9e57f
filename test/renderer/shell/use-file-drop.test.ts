import { expect, test } from 'vitest';
import { droppedFile } from '../../../renderer/shell/use-file-drop.ts';
import { useWindow } from '../../../renderer/store/state/window-store.ts';
import { collapsedOf } from '../../support/collapsed-text.ts';
import { readStored } from '../../support/read-stored.ts';

/** An entry of a drag in a browser, which gives the entries of a folder a few at a time. */
function folderItem(name: string, files: Readonly<Record<string, string>>): DataTransferItem {
  const entries = Object.entries(files).map(([fileName, content]) => ({
    name: fileName,
    isFile: true,
    file: (take: (file: File) => void) => take(new File([content], fileName)),
  }));
  const sub = { name: 'sub', isFile: false, isDirectory: true };
  const entry = {
    name,
    isDirectory: true,
    createReader: () => {
      const left: object[] = [...entries, sub];
      return { readEntries: (take: (entries: object[]) => void) => take(left.splice(0, 2)) };
    },
  };
  return {
    kind: 'file',
    getAsFile: () => new File([], name),
    webkitGetAsEntry: () => entry,
  } as unknown as DataTransferItem;
}

test('a folder that is dropped on a browser is read as the archive of the files in it', async () => {
  const file = await droppedFile(
    folderItem('stacks', {
      'b.collapsed': 'main;b 2\n',
      '.hidden': 'main;c 1\n',
      'a10.collapsed': 'main;a 1',
      'a9.collapsed': 'main;b 3\n',
    }),
  );
  expect(file?.name).toBe('stacks');
  const { reader } = await readStored(new Uint8Array(await file!.arrayBuffer()));
  expect(collapsedOf(reader.aggregator.profile)).toBe('main;a 1\nmain;b 5\n');
  expect(reader.facts().notes[0]).toBe('The folder contains 3 profiles: they are read as one.');
});

test('an empty folder is said to be so, and the desktop program gets the folder itself', async () => {
  expect(await droppedFile(folderItem('nothing', {}))).toBeUndefined();
  expect(useWindow.getState().notices.map(({ text }) => text)).toContain(
    'nothing is a folder without files.',
  );
  useWindow.setState({ capabilities: { openDialog: true, openDropped: true } });
  expect((await droppedFile(folderItem('stacks', { a: 'main;a 1\n' })))?.size).toBe(0);
});
