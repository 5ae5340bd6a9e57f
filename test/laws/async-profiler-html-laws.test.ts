import { ASYNC_PROFILER_HTML } from '../../shared/formats/async-profiler-html.ts';
import { flamePage } from '../support/flame-page.ts';
import { testFormatLaws } from '../support/format-laws.ts';

const stacks =
  '[main tid=7];java/lang/Thread.run_[0];Shop.a_[j] 17\n[main tid=7];java/lang/Thread.start 3\nA::b;memcpy_[k] 5\n';
const old =
  "<!DOCTYPE html>\n<canvas id='canvas'></canvas><script>// Andrei Pangin\nf(0,0,10,3,'all')\nf(1,0,10,1,'Shop.main')\nf(2,0,4,2,'a')\n</script>";

testFormatLaws({
  format: ASYNC_PROFILER_HTML,
  small: [Buffer.from(flamePage(stacks)), Buffer.from(flamePage(stacks, 'bytes')), Buffer.from(old)],
});
