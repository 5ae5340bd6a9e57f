import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import { PieceSource, readToEnd } from '../../shared/input/read-source.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { type Epoch, type LogState, WINDOW_MAX_NODES } from '../../shared/protocol/messages.ts';
import { openGunzip } from './open-gunzip.ts';
import type { Post } from './mirror-messages.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

const STATUS_INTERVAL_MS = 125;

/** Shows a profile that grows here. */
interface ShowsProfile {
  show(profile: LeanProfile): void;
  grew(catchingUp: boolean): void;
}

/**
 * Reads a file that only the browser can reach, dropped or chosen where the host has no path for it, straight into the
 * mirror: nothing leaves the page. Such a file is a snapshot and cannot be followed. Like the host's, reading stops where
 * the profile has `mostNodes` call nodes. It also stops, without another status, when `signal` is aborted.
 */
export async function readLocalFile(
  file: File,
  chosen: Chosen,
  mirror: ShowsProfile,
  post: Post,
  signal: AbortSignal,
  mostNodes = WINDOW_MAX_NODES,
): Promise<void> {
  const aggregator = new ProfileAggregator({ samples: true });
  const reader = new ProfileReader(aggregator, chosen, openGunzip, { mostNodes });
  const source = new PieceSource({ pieces: file.stream(), size: file.size });
  mirror.show(aggregator.profile);
  let lastStatus = 0;
  const report = (state: LogState, detail?: string): void => {
    lastStatus = performance.now();
    post({
      type: 'status',
      status: {
        ...reader.facts(),
        epoch: 0 as Epoch,
        state,
        detail,
        restart: undefined,
        fileBytes: file.size,
        readBytes: source.offset,
      },
    });
  };

  let failure: string | undefined;
  try {
    await readToEnd(source, reader, {
      onPiece: () => {
        if (signal.aborted) return false;
        if (reader.isDone || performance.now() - lastStatus < STATUS_INTERVAL_MS) return true;
        reader.emitOpen();
        report('reading', reader.forecast);
        mirror.grew(true);
        return true;
      },
    });
  } catch (error) {
    failure = errorMessage(error);
  }
  if (signal.aborted) return;
  const outcome =
    failure === undefined
      ? reader.outcome(source.offset / file.size)
      : { state: 'failed' as const, detail: failure };
  report(outcome?.state ?? 'idle', outcome?.detail);
  mirror.grew(false);
}
