import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What needs a host or a log that grows, what no menu has, or draws what a canvas draws, too. A page does without: it is sent, so it is small. */
const LEFT_OUT = [
  'renderer/panes/flame/d3-painter.ts',
  'renderer/panes/operations/OperationsPane.tsx',
  'renderer/panes/operations/request-entries.ts',
  'renderer/panes/source/SourceView.tsx',
  'renderer/panes/source/source-text.ts',
  'renderer/panes/spread/SpreadPane.tsx',
  'renderer/panes/spread/part-actions.ts',
  'renderer/panes/summary/HotNow.tsx',
  'renderer/panes/summary/OtherTypes.tsx',
  'renderer/panes/table/ListTable.tsx',
  'renderer/panes/timeline/DurationsTrack.tsx',
  'renderer/panes/timeline/FollowChoice.tsx',
  'renderer/shell/CompareRuns.tsx',
  'renderer/shell/JvmPanel.tsx',
  'renderer/shell/LogDialogs.tsx',
  'renderer/profile-worker/merged-parts.ts',
  'renderer/profile-worker/panes/operations-pane.ts',
  'renderer/profile-worker/run-report.ts',
  'renderer/profile-worker/panes/spread-pane.ts',
  'renderer/shell/SourcesDialog.tsx',
  'renderer/shell/StartPage.tsx',
  'renderer/store/actions/jvm-actions.ts',
  'renderer/store/actions/request-actions.ts',
  'shared/agent/agent-options.ts',
  'shared/engine/context-steps.ts',
  'shared/engine/comparison/part-sums.ts',
  'shared/engine/comparison/spread.ts',
  'shared/engine/contexts/operations.ts',
  'shared/engine/contexts/profile-by-context.ts',
  'shared/engine/contexts/samples-in-contexts.ts',
  'shared/engine/view-operations.ts',
  'shared/engine/view-parts.ts',
  'shared/engine/views/duration-columns.ts',
  'shared/export/collapsed.ts',
  'shared/export/compare-text.ts',
  'shared/export/hprof.ts',
  'shared/export/json.ts',
  'shared/export/lean.ts',
  'shared/export/otlp.ts',
  'shared/export/packed-text.ts',
  'shared/export/page-content.ts',
  'shared/export/page.ts',
  'shared/export/pprof.ts',
  'shared/export/speedscope.ts',
  'shared/export/top.ts',
  'shared/export/trcbin.ts',
  'shared/facts/comparability.ts',
  'shared/merge/merged-facts.ts',
  'shared/page/anonymous-names.ts',
  'shared/page/profile-part.ts',
  'shared/scope/context-condition.ts',
  'shared/scope/parts-of-time.ts',
].map((path) => {
  const file = fileURLToPath(new URL(path, import.meta.url));
  // A file that has moved would come back without a word.
  if (!existsSync(file)) throw new Error(`${path} is left out of pages, and is not there`);
  return file;
});

/** Replaces modules by ones whose functions and classes do nothing. */
const leaveOut: Plugin = {
  name: 'leave-out',
  enforce: 'pre',
  load(id) {
    if (!LEFT_OUT.includes(id)) return undefined;
    const names = readFileSync(id, 'utf8').matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm);
    return Array.from(names, ([, name]) => `export function ${name}() {}`).join('\n');
  },
};

/** The code of a page to send: one script for window and worker, and one style sheet. See electron/setup/page-template.mjs. */
export default defineConfig({
  root: fileURLToPath(new URL('renderer', import.meta.url)),
  publicDir: false,
  plugins: [leaveOut, react()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    cssTarget: 'chrome130',
    cssCodeSplit: false,
    // Nothing can be loaded later.
    assetsInlineLimit: Infinity,
    modulePreload: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      checks: { ineffectiveDynamicImport: false, emptyImportMeta: false },
      input: fileURLToPath(new URL('renderer/page/main.tsx', import.meta.url)),
      output: {
        format: 'iife',
        codeSplitting: false,
        entryFileNames: 'page.js',
        assetFileNames: 'page[extname]',
      },
    },
  },
});
