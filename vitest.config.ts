import { defineConfig } from 'vitest/config';

/** Tests of modules that share no global state: files of one worker share their modules, which are loaded once. */
const PURE = ['shared', 'renderer', 'bench'].map((folder) => `test/unit/${folder}/**/*.test.{ts,tsx}`);

export default defineConfig({
  test: {
    // Vitest would leave a processor idle; `npm test` runs its static checks beside the tests all the same.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Vitest starts projects in the order of their names: the longest files first, so that both workers end together.
    projects: [
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'isolated', include: ['test/unit/{electron,packaging}/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'pure',
          include: [...PURE, 'test/{property,golden,rules}/**/*.test.ts'],
          isolate: false,
        },
      },
    ],
  },
});
