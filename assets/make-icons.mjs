/**
 * Draws every icon from the four SVG files: `node assets/make-icons.mjs`, after which the results are committed.
 * Needs rsvg-convert and ImageMagick's convert.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const assets = import.meta.dirname;
const scratch = mkdtempSync(join(tmpdir(), 'icons-'));

/** Up to this size the drawing that is aligned to a grid of 16 pixels is used. */
const LARGEST_SMALL = 32;
const ICO_SIZES = [16, 24, 32, 48, 64, 128, 256];
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
/** Types of an .icns file whose content is a PNG, and their size. */
const ICNS_TYPES = { ic11: 32, ic12: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic13: 256, ic14: 512 };

function png(name, size) {
  const drawing = join(assets, `${name}${size <= LARGEST_SMALL ? '-small' : ''}.svg`);
  const file = join(scratch, `${name}-${size}.png`);
  execFileSync('rsvg-convert', ['-w', String(size), '-h', String(size), drawing, '-o', file]);
  return file;
}

/** `icns`, the whole length, then per image its type, its length with these eight bytes, and the PNG. */
function icns(name) {
  const chunk = (type, content) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(8 + content.length, 4);
    return Buffer.concat([head, content]);
  };
  const images = Object.entries(ICNS_TYPES).map(([type, size]) => chunk(type, readFileSync(png(name, size))));
  return chunk('icns', Buffer.concat(images));
}

mkdirSync(join(assets, 'icons'), { recursive: true });
for (const name of ['icon', 'document']) {
  execFileSync('convert', [...ICO_SIZES.map((size) => png(name, size)), join(assets, `${name}.ico`)]);
  writeFileSync(join(assets, `${name}.icns`), icns(name));
  copyFileSync(png(name, 512), join(assets, `${name}.png`));
}
for (const size of LINUX_SIZES) copyFileSync(png('icon', size), join(assets, `icons/${size}x${size}.png`));
copyFileSync(png('icon', 1024), join(assets, 'icons/1024x1024.png'));
rmSync(scratch, { recursive: true });
