import { readSnakeYaml, type YamlText, type YamlValue } from './snake-yaml.ts';

/** Contents of `basic.yml` in an exporter's archive (ProfiledBasicInfo, written by SnakeYAML). */
export interface BasicInfo {
  readonly traceId: string;
  readonly taskId: string;
  readonly segments: readonly BasicSegment[];
  readonly spans: readonly BasicSpan[];
}

/** Times in ms since 1970; NaN if unknown, like sequence numbers. */
export interface BasicSegment {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly minSequence: number;
  readonly maxSequence: number;
}

export interface BasicSpan {
  readonly segmentId: string;
  readonly id: string;
  readonly parent: string;
  readonly endpoint: string;
  readonly type: string;
  readonly service: string;
  readonly start: number;
  readonly end: number;
}

export function readBasicInfo(bytes: Uint8Array): { info: BasicInfo; problem: YamlText['problem'] } {
  const { root, problem } = readSnakeYaml(bytes);
  const config = field(root, 'config');
  const info: BasicInfo = {
    traceId: textOf(field(config, 'traceId')),
    taskId: textOf(field(config, 'taskId')),
    segments: listOf(field(root, 'segments')).map((segment) => ({
      id: textOf(field(segment, 'segmentId')),
      start: wholeNumberOf(field(segment, 'segmentStartTime')),
      end: wholeNumberOf(field(segment, 'segmentEndTime')),
      minSequence: wholeNumberOf(field(segment, 'minSequence')),
      maxSequence: wholeNumberOf(field(segment, 'maxSequence')),
    })),
    spans: listOf(field(root, 'profiledSegmentSpans')).map((span) => ({
      segmentId: textOf(field(span, 'segmentId')),
      id: textOf(field(span, 'spanId')),
      parent: textOf(field(span, 'parentSpanId')),
      endpoint: textOf(field(span, 'endpointName')),
      type: textOf(field(span, 'type')),
      service: textOf(field(span, 'serviceCode')),
      start: wholeNumberOf(field(span, 'startTime')),
      end: wholeNumberOf(field(span, 'endTime')),
    })),
  };
  return { info, problem };
}

/** The value of a key; undefined if `value` is not a map or does not have the key. */
function field(value: YamlValue | undefined, key: string): YamlValue | undefined {
  return value instanceof Map ? (value as ReadonlyMap<string, YamlValue>).get(key) : undefined;
}

function listOf(value: YamlValue | undefined): readonly YamlValue[] {
  return Array.isArray(value) ? (value as readonly YamlValue[]) : [];
}

/** '' if `value` is not a text. */
function textOf(value: YamlValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** NaN if `value` is not a safe integer. */
function wholeNumberOf(value: YamlValue | undefined): number {
  const number = /^-?\d{1,16}$/.test(textOf(value)) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : NaN;
}
