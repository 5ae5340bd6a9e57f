import { HONEST_LOG } from '../../shared/formats/honest-log/format.ts';
import { NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { bciFrame, frame, log, method, thread, trace } from '../support/log-bytes.ts';
import { testFormatLaws } from '../support/format-laws.ts';
import { goldenLog } from '../support/read-log.ts';

testFormatLaws({
  format: HONEST_LOG,
  small: [
    log(
      thread(7, 'main'),
      trace(
        7,
        1.5,
        frame(0x10, 3, 12),
        method(0x10, 'Shop.java', 'Lshop/Cart;', 'total'),
        bciFrame(0x20, -3),
      ),
      trace(7, 1.6, frame(0x30, 1, 1), frame(0x10, 3, 12)),
      trace(-9, 1.55),
    ),
  ],
  large: [goldenLog('hello')],
  // Of the small log's stacks, and of the recorded one's.
  chosen: [NOTHING_CHOSEN, { cut: '2' }, { cut: '128' }],
});
