import { MOST_NODES, NodeEstimate } from '../../shared/aggregate/node-estimate.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../shared/formats/choice.ts';
import { describeNearest, isProfile, type Stranger } from '../../shared/formats/detect-format.ts';
import { loadDecoders } from '../../shared/formats/load-decoders.ts';
import { ProfileReader } from '../../shared/formats/profile-reader.ts';
import type { Epoch, LogState } from '../../shared/protocol/messages.ts';
import { describeFull, describeEstimate } from '../../shared/text/estimate-text.ts';
import { openZip } from '../../shared/unpack/open-zip.ts';
import type { ZipUnpacker } from '../../shared/unpack/zip.ts';
import { looksLikeZip } from '../../shared/unpack/zip-magic.ts';
import type { Mirror } from './mirror.ts';
import type { Post } from './post.ts';

const STATUS_INTERVAL_MS = 125;

/**
 * Reads a file that only the browser can reach, dropped or chosen where the host has no path for it, straight into the
 * mirror: nothing leaves the page. Such a file is a snapshot and cannot be followed. Like the host's, reading stops where
 * the profile has `mostNodes` call nodes. It also stops, without another word, when `signal` says so.
 */
export async function readLocalFile(
  file: File,
  chosen: Chosen,
  mirror: Mirror,
  post: Post,
  signal: AbortSignal,
  mostNodes = MOST_NODES,
): Promise<void> {
  const estimate = new NodeEstimate();
  const aggregator = new ProfileAggregator();
  const reader = new ProfileReader(aggregator, chosen);
  mirror.show(aggregator.profile);
  let readBytes = 0;
  let lastStatus = 0;
  const report = (state: LogState, detail?: string): void => {
    lastStatus = performance.now();
    post({
      type: 'status',
      status: {
        ...reader.logFacts(),
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
  let archive: ZipUnpacker | undefined;
  let isLoaded = false;
  try {
    const counted = file.stream().pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          readBytes += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
    const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    const unpacked: ReadableStream<Uint8Array> = isGzip
      ? counted.pipeThrough(new DecompressionStream('gzip'))
      : counted;
    if (looksLikeZip(head)) archive = await openZip(isProfile, (bytes) => reader.append(bytes));
    for await (const bytes of unpacked) {
      if (signal.aborted) return;
      if (!isLoaded) await loadDecoders(archive === undefined ? bytes : undefined);
      isLoaded = true;
      if (archive === undefined) reader.append(bytes);
      else archive.write(bytes);
      if (reader.stranger !== undefined) break;
      const nodes = aggregator.profile.nodes.length;
      estimate.note(readBytes, file.size, nodes);
      if (nodes >= mostNodes) break;
      if (performance.now() - lastStatus < STATUS_INTERVAL_MS) continue;
      reader.settle(false);
      report('reading', describeEstimate(estimate.expected, mostNodes));
      mirror.grew(true);
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (signal.aborted) return;
  if (archive !== undefined && problem === undefined && readBytes === file.size)
    problem = problemAtEnd(archive);
  reader.settle(true);
  if (problem === undefined && reader.stranger !== undefined) problem = describeStranger(reader.stranger);
  if (problem !== undefined) report('failed', problem);
  else if (aggregator.profile.nodes.length >= mostNodes)
    report('full', describeFull(readBytes / file.size, estimate.expected));
  else report(reader.damage !== undefined ? 'damaged' : 'idle');
  mirror.grew(false);
}

function problemAtEnd(archive: ZipUnpacker): string | undefined {
  archive.end();
  const { damage, refusal } = archive;
  if (refusal !== undefined) return `This is a zip archive that ${refusal}.`;
  if (damage === undefined) return undefined;
  return `The zip archive is damaged at byte ${damage.byteOffset}: ${damage.found}, expected ${damage.expected}.`;
}

function describeStranger(stranger: Stranger): string {
  if (stranger.guess === 'empty') return 'This file is empty: open one that was written to.';
  return `This is no profile: it looks like ${stranger.guess}. ${describeNearest(stranger)}`;
}
