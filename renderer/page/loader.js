// Unpacks the code, the style and the profiles of the page, and runs it. It is in the page as it is here.
(async () => {
  const text = (id) => document.getElementById(id).textContent;
  const inflated = async (bytes) =>
    new Uint8Array(
      await new Response(
        new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')),
      ).arrayBuffer(),
    );
  // Five characters for four bytes: from "(" on, without those that HTML interprets.
  const code = (id) => {
    const packed = text(id);
    const bytes = new DataView(new ArrayBuffer((packed.length / 5) * 4));
    for (let at = 0; at < packed.length; at += 5) {
      let word = 0;
      for (let digit = 0; digit < 5; digit++) {
        const character = packed.charCodeAt(at + digit);
        word = word * 85 + character - (character > 60 ? 41 : 40);
      }
      bytes.setUint32((at / 5) * 4, word);
    }
    const length = +document.getElementById(id).dataset.length;
    return inflated(bytes.buffer.slice(0, length)).then((unpacked) => new TextDecoder().decode(unpacked));
  };
  try {
    const base64 = atob(text('leanscope-profile'));
    const packed = new Uint8Array(base64.length);
    for (let at = 0; at < packed.length; at++) packed[at] = base64.charCodeAt(at);
    const [script, style, data] = await Promise.all([
      code('leanscope-code'),
      code('leanscope-style'),
      inflated(packed),
    ]);
    const add = (kind, content) => {
      const element = document.createElement(kind);
      element.textContent = content;
      document.head.append(element);
    };
    // A canvas draws all graphs: the other painter is not in the page.
    window.leanscopePainter = 'canvas';
    const worker = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    window.leanscopePage = { data, startWorker: () => new Worker(worker) };
    add('style', style);
    add('script', script);
  } catch (error) {
    const root = document.getElementById('root');
    root.innerHTML = document.querySelector('noscript').textContent;
    root.prepend(`This page was cut or edited, or the browser is older than 2023 (${error.message}).`);
  }
})();
