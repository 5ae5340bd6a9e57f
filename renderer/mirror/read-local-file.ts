import { MOST_NODES, NodeOutlook } from '../../shared/aggregate/node-outlook.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { DETECTION_BYTES, detectFormat } from '../../shared/formats/detect-format.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { logFacts } from '../../shared/formats/honest-log/log-facts.ts';
import type { Epoch, LogState } from '../../shared/protocol/messages.ts';
import { describeFull, describeOutlook } from '../../shared/text/outlook-text.ts';
import type { Mirror } from './mirror.ts';
import type { Post } from './post.ts';

const STATUS_INTERVAL_MS = 125;

/**
 * Reads a file that only the browser can reach, dropped or chosen where the host has no path for it, straight into the
 * mirror: nothing leaves the page. Such a file is a snapshot and cannot be followed. Like the host's, reading stops where
 * the profile has `mostNodes` call nodes.
 */
export async function readLocalFile(
  file: File,
  mirror: Mirror,
  post: Post,
  mostNodes = MOST_NODES,
): Promise<void> {
  const outlook = new NodeOutlook();
  const aggregator = new ProfileAggregator();
  const decoder = new HonestLogDecoder(aggregator);
  mirror.show(aggregator.profile);
  let readBytes = 0;
  let lastStatus = 0;
  const report = (state: LogState, detail?: string): void => {
    lastStatus = performance.now();
    post({
      type: 'status',
      status: {
        ...logFacts(decoder, aggregator),
        epoch: 0 as Epoch,
        state,
        detail,
        restart: undefined,
        fileBytes: file.size,
        readBytes,
      },
    });
  };

  let problem: string | undefined;
  try {
    const counted = file.stream().pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          readBytes += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
    const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    const unpacked: ReadableStream<Uint8Array> = isGzip
      ? counted.pipeThrough(new DecompressionStream('gzip'))
      : counted;
    let undetected: Uint8Array | undefined = new Uint8Array(0);
    const take = (bytes: Uint8Array, ended: boolean): void => {
      if (undetected === undefined) return decoder.append(bytes);
      const start: Uint8Array = new Uint8Array(undetected.length + bytes.length);
      start.set(undetected);
      start.set(bytes, undetected.length);
      undetected = start;
      if (start.length < DETECTION_BYTES && !ended) return;
      const detected = detectFormat(start.subarray(0, DETECTION_BYTES), ended);
      if (detected?.format === undefined) {
        throw new Error(
          detected === undefined || detected.guess === 'empty'
            ? 'This file is empty: open one that the agent has written to.'
            : `This is not an Honest Profiler log: it looks like ${detected.guess}.`,
        );
      }
      undetected = undefined;
      decoder.append(start);
    };
    for await (const bytes of unpacked) {
      take(bytes, false);
      const nodes = aggregator.profile.nodes.length;
      outlook.note(readBytes, file.size, nodes);
      if (nodes >= mostNodes) break;
      if (performance.now() - lastStatus < STATUS_INTERVAL_MS) continue;
      decoder.settle(false);
      report('reading', describeOutlook(outlook.expected, mostNodes));
      mirror.grew(true);
    }
    if (aggregator.profile.nodes.length < mostNodes) take(new Uint8Array(0), true);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  decoder.settle(true);
  if (problem !== undefined) report('failed', problem);
  else if (aggregator.profile.nodes.length >= mostNodes)
    report('full', describeFull(readBytes / file.size, outlook.expected));
  else report(decoder.damage !== undefined ? 'damaged' : 'idle');
  mirror.grew(false);
}
