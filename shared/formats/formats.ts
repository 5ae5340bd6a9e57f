import { assert } from '../assert.ts';
import { ASYNC_PROFILER_HTML } from './async-profiler-html.ts';
import { CPUPROFILE } from './cpuprofile.ts';
import { SPEEDSCOPE } from './speedscope.ts';
import { COLLAPSED } from './collapsed/format.ts';
import { FIREFOX } from './firefox/format.ts';
import { HONEST_LOG } from './honest-log/format.ts';
import { HPROF, HPROF_TEXT } from './hprof/format.ts';
import { JFR } from './jfr/format.ts';
import { LEANSCOPE_PAGE } from './leanscope-page/format.ts';
import { OTLP, OTLP_SERIES } from './otlp/format.ts';
import { PPROF } from './pprof/format.ts';
import { TPTP_BINARY, TPTP_XML } from './tptp/format.ts';
import type { FormatGroup, FormatId } from '../facts/format-list.ts';
import { FORMAT_GROUP_TITLES, type ProfileFormat } from './profile-format.ts';
import { SKYWALKING_ARCHIVE, SKYWALKING_SNAPSHOTS } from './skywalking/format.ts';
import { JAVACORE, THREAD_DUMP, THREAD_DUMP_JSON } from './thread-dump/format.ts';

/**
 * In the order of detection. The first match counts, so formats that are recognised by weaker evidence come later. All else that
 * lists formats is derived from this: file dialogs, the start page, ids.
 */
export const FORMATS: readonly ProfileFormat[] = [
  TPTP_BINARY,
  JFR,
  HPROF,
  HPROF_TEXT,
  HONEST_LOG,
  TPTP_XML,
  SKYWALKING_ARCHIVE,
  SKYWALKING_SNAPSHOTS,
  JAVACORE,
  THREAD_DUMP,
  OTLP,
  OTLP_SERIES,
  PPROF,
  SPEEDSCOPE,
  CPUPROFILE,
  FIREFOX,
  THREAD_DUMP_JSON,
  LEANSCOPE_PAGE,
  ASYNC_PROFILER_HTML,
  COLLAPSED,
];

export function formatOf(id: FormatId): ProfileFormat {
  const format = FORMATS.find((each) => each.id === id);
  assert(format !== undefined, 'every format has its row');
  return format;
}

/** The last part of every extension, without the dot, and those of compressed files: for file dialogs. */
export function fileExtensions(): readonly string[] {
  const ofFormats = FORMATS.flatMap(({ extensions }) =>
    extensions.map((extension) => extension.slice(extension.lastIndexOf('.') + 1)),
  );
  return [...new Set([...ofFormats, 'gz', 'zip'])];
}

/** Entries in alphabetical order, each with the usual extension of each of its formats. */
export function formatGroups(): readonly FormatGroup[] {
  return FORMAT_GROUP_TITLES.map((title) => {
    const files = new Map<string, Set<string>>();
    for (const { listed, extensions } of FORMATS) {
      if (listed.group !== title) continue;
      const known = files.get(listed.entry) ?? new Set();
      files.set(listed.entry, known.add(extensions[0]));
    }
    const formats = [...files].map(([name, endings]) => ({ name, files: [...endings].join(' ') }));
    return { title, formats: formats.sort((a, b) => a.name.localeCompare(b.name, 'en')) };
  });
}
