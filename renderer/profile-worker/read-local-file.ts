import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import { ProfileInput } from '../../shared/input/profile-input.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
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
  const reader = new ProfileReader(aggregator, chosen);
  const input = new ProfileInput(reader, openGunzip, mostNodes);
  mirror.show(aggregator.profile);
  let readBytes = 0;
  let lastStatus = 0;
  const report = (state: LogState, detail?: string): void => {
    lastStatus = performance.now();
    post({
      type: 'status',
      status: {
        ...input.facts(),
        epoch: 0 as Epoch,
        state,
        detail,
        restart: undefined,
        fileBytes: file.size,
        readBytes,
      },
    });
  };

  let failure: string | undefined;
  try {
    for await (const bytes of file.stream()) {
      if (signal.aborted) return;
      await input.push(bytes);
      readBytes += bytes.length;
      input.note(readBytes, file.size);
      if (input.isDone) break;
      if (performance.now() - lastStatus < STATUS_INTERVAL_MS) continue;
      reader.emitOpen();
      report('reading', input.forecast);
      mirror.grew(true);
    }
    // Packed data that was not read to its end is not damaged.
    if (readBytes === file.size) await input.end();
    else reader.end();
  } catch (error) {
    failure = errorMessage(error);
  } finally {
    input.close();
  }
  if (signal.aborted) return;
  const outcome =
    failure === undefined
      ? input.outcome(readBytes / file.size)
      : { state: 'failed' as const, detail: failure };
  report(outcome?.state ?? 'idle', outcome?.detail);
  mirror.grew(false);
}
