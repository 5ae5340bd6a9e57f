import { expect, test } from 'vitest';
import { withTable } from './published.ts';

const PAGE = '# Page\n\n<!-- table of npm run bench -->\n\nold\n\n<!-- end of table -->\n\nrest\n';

test('the table replaces what is between the marks, formatted as files are', async () => {
  const once = await withTable(PAGE, '| a | b |\n| --- | --: |\n| long text | 1 |', 'test/bench/README.md');
  expect(once).toBe(`# Page

<!-- table of npm run bench -->

| a         |   b |
| --------- | --: |
| long text |   1 |

<!-- end of table -->

rest
`);
  expect(await withTable(once, 'new', 'test/bench/README.md')).toBe(PAGE.replace('old', 'new'));
});

test('a page without its marks is left alone', async () => {
  await expect(withTable('# Page\n', '', 'page.md')).rejects.toThrow('page.md has no <!-- table');
});
