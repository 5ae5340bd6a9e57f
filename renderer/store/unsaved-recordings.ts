import type { LogId } from '../../shared/protocol/messages.ts';
import type { LogView, WindowState } from './window-state.ts';

type Read = Pick<LogView, 'key' | 'hostLog' | 'sameAs' | 'parts' | 'isRecording'>;

/**
 * The recordings that nobody has saved, and that no open log shows once these are closed. Each is named by a log that
 * reads it, which may be a closed one that goes on for a merged log.
 */
export function unsavedRecordings(
  {
    logs,
    jvms: { recordings },
  }: { readonly logs: readonly Read[]; readonly jvms: Pick<WindowState['jvms'], 'recordings'> },
  closed: readonly Pick<LogView, 'key'>[],
): readonly LogId[] {
  const isClosed = (log: Read): boolean => closed.some(({ key }) => key === log.key);
  const firstOf = new Map(
    logs.flatMap(({ hostLog, sameAs }) => (hostLog === undefined ? [] : [[hostLog, sameAs ?? hostLog]])),
  );
  const shownBy = (log: Read): readonly (readonly [LogId, LogId])[] =>
    (log.parts ?? (log.hostLog === undefined ? [] : [log.hostLog])).map((id) => [firstOf.get(id) ?? id, id]);
  const stays = new Set(
    logs
      .filter((log) => !isClosed(log))
      .flatMap(shownBy)
      .map(([first]) => first),
  );
  const lost = new Map<LogId, LogId>();
  for (const [first, id] of logs.filter(isClosed).flatMap(shownBy)) {
    const state = recordings[id];
    if (!stays.has(first) && (state === 'running' || state === 'unsaved')) lost.set(first, id);
  }
  return [...lost.values()];
}
