import { expect, test } from 'vitest';
import { FORMAT_GROUPS } from '../../../../renderer/shell/start-formats.ts';
import { FORMATS } from '../../../../shared/formats/formats.ts';

const listed = FORMAT_GROUPS.flatMap(({ formats }) => formats);

test('the start page names every format once', () => {
  expect(listed.flatMap(({ ids }) => ids).sort()).toEqual(FORMATS.map(({ id }) => id).sort());
});

test('the endings on the start page are those of the formats', () => {
  for (const { ids, files, name } of listed) {
    const known = FORMATS.filter(({ id }) => ids.includes(id)).flatMap(({ extensions }) => extensions);
    for (const ending of files.split(' ')) expect(known, name).toContain(ending);
  }
});
