import { assert } from '../assert.ts';
import { ASYNC_PROFILER_HTML } from './async-profiler-html/format.ts';
import { CPUPROFILE } from './cpuprofile/format.ts';
import { SPEEDSCOPE } from './speedscope/format.ts';
import { COLLAPSED } from './collapsed/format.ts';
import { HONEST_LOG } from './honest-log/format.ts';
import { HPROF, HPROF_TEXT } from './hprof/format.ts';
import { JFR } from './jfr/format.ts';
import { OTLP } from './otlp/format.ts';
import { PPROF } from './pprof/format.ts';
import { TPTP_BINARY, TPTP_XML } from './tptp/format.ts';
import type { FormatId } from '../facts/format-facts.ts';
import type { ProfileFormat } from './profile-format.ts';
import { SKYWALKING_ARCHIVE, SKYWALKING_SNAPSHOTS, SKYWALKING_YAML } from './skywalking/format.ts';
import { JAVACORE, THREAD_DUMP, THREAD_DUMP_JSON } from './thread-dump/format.ts';

/** In the order of detection. The first match counts, so formats that are recognised by weaker evidence come later. */
export const FORMATS: readonly ProfileFormat[] = [
  TPTP_BINARY,
  JFR,
  HPROF,
  HPROF_TEXT,
  HONEST_LOG,
  TPTP_XML,
  SKYWALKING_ARCHIVE,
  SKYWALKING_SNAPSHOTS,
  SKYWALKING_YAML,
  JAVACORE,
  THREAD_DUMP,
  OTLP,
  PPROF,
  SPEEDSCOPE,
  CPUPROFILE,
  THREAD_DUMP_JSON,
  ASYNC_PROFILER_HTML,
  COLLAPSED,
];

const byId = new Map(FORMATS.map((format) => [format.id, format]));

export function formatOf(id: FormatId): ProfileFormat {
  const format = byId.get(id);
  assert(format !== undefined, 'every format has its row');
  return format;
}
