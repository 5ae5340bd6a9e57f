import { expect, test } from 'vitest';
import { readProjectFile } from '../../../shared/findings/project-file.ts';

test('a project file names own code and silenced findings', () => {
  const text =
    '{"own": ["com.acme."], "sources": ["src"], "suppress": [{"id": "F15", "key": "a.B.c", "why": "audit"}]}';
  expect(readProjectFile(text, ['F15'])).toEqual({
    own: ['com.acme.'],
    suppress: [{ id: 'F15', key: 'a.B.c', why: 'audit' }],
  });
  expect(readProjectFile('{}', [])).toEqual({ own: [], suppress: [] });
});

test.each([
  ['{"own": [\n"a" "b"]}', 'line 2, column 5: found no valid JSON, expected an object in JSON'],
  ['[]', 'the whole file: found [], expected an object'],
  ['{"own": "com."}', 'own: found "com.", expected a list'],
  ['{"own": ["a", 3]}', 'own[1]: found 3, expected a text that is not empty'],
  ['{"owns": []}', 'owns: found [], expected only own, sources, suppress'],
  ['{"suppress": [{"id": "F99", "why": "x"}]}', 'suppress[0].id: found "F99", expected one of F1, F15'],
  ['{"suppress": [{"id": "F15"}]}', 'suppress[0].why: found nothing, expected a reason, as text'],
  [
    '{"suppress": [{"id": "F15", "why": "x", "key": 1}]}',
    'suppress[0].key: found 1, expected a class and method, as text',
  ],
])('refuses %s with place, found and expected', (text, message) => {
  expect(() => readProjectFile(text, ['F1', 'F15'])).toThrow(message);
});
