import { NodeEstimate } from '../../shared/aggregate/node-estimate.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import { ProfileInput } from '../../shared/input/profile-input.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import type { Epoch, LogState } from '../../shared/protocol/messages.ts';
import { WINDOW_MAX_NODES, WINDOW_NODE_CAPACITY } from '../../shared/protocol/window-limit.ts';
import { describeEstimate, describeFull } from '../../shared/text/format-value.ts';
import type { Mirror } from './mirror.ts';
import { openGunzip } from './open-gunzip.ts';
import type { Post } from './post.ts';

const STATUS_INTERVAL_MS = 125;

/**
 * Reads a file that only the browser can reach, dropped or chosen where the host has no path for it, straight into the
 * mirror: nothing leaves the page. Such a file is a snapshot and cannot be followed. Like the host's, reading stops where
 * the profile has `mostNodes` call nodes. It also stops, without another status, when `signal` is aborted.
 */
export async function readLocalFile(
  file: File,
  chosen: Chosen,
  mirror: Mirror,
  post: Post,
  signal: AbortSignal,
  mostNodes = WINDOW_MAX_NODES,
): Promise<void> {
  const estimate = new NodeEstimate();
  const aggregator = new ProfileAggregator({ samples: true });
  const { nodes } = aggregator.profile;
  const reader = new ProfileReader(aggregator, chosen, WINDOW_NODE_CAPACITY);
  const input = new ProfileInput(reader, openGunzip);
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
      estimate.note(readBytes, file.size, nodes.length);
      if (reader.unrecognised !== undefined || nodes.length >= mostNodes) break;
      if (performance.now() - lastStatus < STATUS_INTERVAL_MS) continue;
      reader.emitOpen();
      report('reading', describeEstimate(estimate.expected, mostNodes));
      mirror.grew(true);
    }
    // Packed data that was not read to its end is not damaged.
    if (readBytes === file.size) await input.end();
    else await reader.end();
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  } finally {
    input.close();
  }
  if (signal.aborted) return;
  if (failure !== undefined) report('failed', failure);
  else if (input.problem !== undefined) report('failed', input.problem.text);
  else if (nodes.length >= mostNodes) report('full', describeFull(readBytes / file.size, estimate.expected));
  else report(input.damage !== undefined ? 'damaged' : 'idle');
  mirror.grew(false);
}
