/**
 * What is wrong with the layout of a page, one line each: text that is cut off without an ellipsis, texts on one
 * another, a page that scrolls, type outside the three sizes. Runs in the page and so refers to nothing outside itself.
 */
export function layoutFaults() {
  // 12 px: letters of the monospaced font, which look as large as those of 13 px do.
  const SIZES = ['11px', '12px', '13px', '15px'];
  const found = new Set();
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.add('the page scrolls');

  /** The nearest ancestors that cut off what is beyond them, until one that scrolls. */
  const clips = (element) => {
    const boxes = [];
    for (let each = element; each !== null && each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY, textOverflow, position } = getComputedStyle(each);
      const box = each.getBoundingClientRect();
      const cuts = (overflow) => overflow === 'hidden' || overflow === 'clip';
      const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
      if (cuts(overflowX) || cuts(overflowY))
        boxes.push({
          box,
          isElided: textOverflow === 'ellipsis',
          x: cuts(overflowX),
          y: cuts(overflowY),
        });
      if (scrolls(overflowX) || scrolls(overflowY)) {
        boxes.push({ box, isScroller: true });
        break;
      }
      if (position === 'fixed') break;
    }
    return boxes;
  };

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data.trim();
    const element = node.parentElement;
    if (text === '' || element.closest('option, script, style, .unseen, [hidden], svg') !== null) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { fontSize, clipPath } = getComputedStyle(element);
    if (clipPath !== 'none') continue;
    const name = `${JSON.stringify(text.slice(0, 40))} (.${element.className || element.parentElement.className})`;
    if (!SIZES.includes(fontSize) && /\w/.test(text) && element.localName !== 'h1')
      found.add(`${fontSize} type: .${element.className}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    const around = clips(element);
    let isElided = false;
    for (const box of range.getClientRects()) {
      let seen = box;
      for (const clip of around) {
        isElided ||= clip.isElided === true;
        const { left, right, top, bottom } = clip.box;
        const isOutside =
          seen.right <= left || seen.left >= right || seen.bottom <= top || seen.top >= bottom;
        if (isOutside) {
          seen = undefined;
          break;
        }
        // A line height larger than a row is harmless: letters are in the middle three fifths of it.
        const slack = seen.height / 5;
        if (clip.isScroller !== true) {
          if (clip.y && (seen.top + slack < top || seen.bottom - slack > bottom))
            found.add(`cut off above or below: ${name}`);
          if (clip.x && !isElided && (seen.left < left - 1 || seen.right > right + 1))
            found.add(`cut off: ${name}`);
        }
        // Dots stand for whole characters, and what follows them may begin where these end.
        const end = clip.isElided === true && seen.right > right ? right - parseFloat(fontSize) : right;
        seen = new DOMRect(
          Math.max(left, seen.left),
          Math.max(top, seen.top),
          Math.min(end, seen.right) - Math.max(left, seen.left),
          Math.min(bottom, seen.bottom) - Math.max(top, seen.top),
        );
      }
      if (seen === undefined || seen.width < 2 || seen.height < 2) continue;
      if (seen.left < -1 || seen.right > innerWidth + 1 || seen.bottom > innerHeight + 1)
        found.add(`outside the window: ${name}`);
      const top = document.elementFromPoint(seen.left + seen.width / 2, seen.top + seen.height / 2);
      // What a menu or dialog covers is none of its fault.
      if (top !== null && (top.contains(element) || element.contains(top)))
        texts.push({ name, node, box: seen, layer: element.closest(':popover-open, dialog') });
    }
  }
  for (const [at, one] of texts.entries()) {
    for (const other of texts.slice(0, at)) {
      // A menu or dialog may cover a part of a text.
      if (one.node === other.node || one.layer !== other.layer) continue;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 2 && high > 5) found.add(`on one another: ${other.name} and ${one.name}`);
    }
  }
  return [...found];
}
