/**
 * `npm run bench [-- FILE]`: builds the program and the bench, which is TypeScript too and may use the program's
 * sources, then runs main.ts with the same arguments.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from '../../electron/setup/prepare.mjs';
import { root } from '../../electron/setup/paths.mjs';

const output = join(root, 'test/output/bench');

async function bundle() {
  // Built like the program: React's development version would give other figures.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20.19',
      outDir: output,
      // Another bench may be running there.
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      reportCompressedSize: false,
      rolldownOptions: {
        input: {
          main: join(root, 'test/bench/main.ts'),
          'row-process': join(root, 'test/bench/row-process.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[name].js' },
      },
    },
  });
}

prepare();
await bundle();
// If set, Node reads these certificates before it runs anything: 80 ms of every start.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', join(output, 'main.js'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env },
);
process.exitCode = status ?? 1;
