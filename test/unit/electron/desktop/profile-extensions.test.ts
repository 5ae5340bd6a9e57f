import { expect, test } from 'vitest';
import { PROFILE_EXTENSIONS } from '../../../../electron/desktop/profile-extensions.ts';
import { FORMATS } from '../../../../shared/formats/formats.ts';

test('the file dialog offers what files of every format are called', () => {
  const last = FORMATS.flatMap(({ extensions }) => extensions.map((name) => name.split('.').at(-1)));
  expect(last.filter((name) => name === undefined || !PROFILE_EXTENSIONS.includes(name))).toEqual([]);
});
