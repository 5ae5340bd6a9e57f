import type { SourceClientMessage, SourceRootId } from '../../shared/protocol/source-messages.ts';
import { services, useWindow } from './window-store.ts';

const { getState, setState } = useWindow;

function send(message: SourceClientMessage): void {
  services().client.send(message);
}

/** Opens the file that was found last in the host's editor. */
export function editSource(line: number): void {
  const { sourceSearch } = getState();
  if (sourceSearch !== undefined) send({ type: 'editSource', line, ...sourceSearch.wanted });
}

/** The source of a method begins at its hottest line again. */
export function forgetSourceLine(): void {
  setState({ sourceLine: undefined });
}

export function addSource(kind: 'folder' | 'archive'): void {
  send({ type: 'addSource', kind });
}

export function removeSource(root: SourceRootId): void {
  send({ type: 'removeSource', root });
}

export function chooseEditor(editor: string): void {
  send({ type: 'chooseEditor', editor });
}

export function setEditor(command: string): void {
  send({ type: 'setEditor', command });
}
