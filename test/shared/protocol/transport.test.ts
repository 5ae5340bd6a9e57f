import { expect, test } from 'vitest';
import { MessageReader } from '../../../shared/protocol/transport.ts';

test('messages are put together from pieces that are cut anywhere', () => {
  const stream = Uint8Array.of(3, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 1, 0, 0, 0, 9, 4, 0, 0, 0, 5, 6, 7, 8);
  for (let length = 1; length <= stream.length; length++) {
    const messages: string[] = [];
    const reader = new MessageReader((message) => messages.push(new Uint8Array(message).join(' ')));
    for (let at = 0; at < stream.length; at += length) reader.append(stream.subarray(at, at + length));
    expect(messages, `in pieces of ${length}`).toEqual(['1 2 3', '', '9', '5 6 7 8']);
  }
});

test('a message that is not whole yet is waited for', () => {
  const messages: ArrayBuffer[] = [];
  new MessageReader((message) => messages.push(message)).append(Uint8Array.of(2, 0, 0, 0, 1));
  expect(messages).toEqual([]);
});
