/**
 * The template of pages to send: everything but the profile. Code and style are deflated, in five characters for four
 * bytes, because a page is mailed; zopfli needs a second for what is a thirtieth smaller than zlib's. The policy names the
 * hash of all that may run.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import zopfli from '@gfx/zopfli';
import { root } from './paths.mjs';

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Digits from "(" on, without "<". */
const digit = (value) => String.fromCharCode(value + (value + 40 >= 60 ? 41 : 40));

async function packed(id, text) {
  const bytes = Buffer.from(await zopfli.zlibAsync(Buffer.from(text), { numiterations: 5 }));
  const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  let digits = '';
  for (let at = 0; at < whole.length; at += 4) {
    let rest = whole.readUInt32BE(at);
    let word = '';
    for (let place = 0; place < 5; place++) {
      word = digit(rest % 85) + word;
      rest = Math.floor(rest / 85);
    }
    digits += word;
  }
  return `<script type="application/octet-stream" id="${id}" data-length="${bytes.length}">${digits}</script>`;
}

/** One text for all packages with equal licences: a page has no other place for them. */
function licencesOf(bundled) {
  const known = new Map();
  for (const { name, text } of bundled) {
    const [, holder = ''] = /^(Copyright .*)$/m.exec(text) ?? [];
    const terms = text
      .replace(/^.*Copyright .*$/m, '')
      .trim()
      .replace(/\s+/g, ' ');
    known.set(terms, [...(known.get(terms) ?? []), `${name}: ${holder}`]);
  }
  return [...known]
    .map(([terms, names]) => `${names.join('\n')}\n${terms}`)
    .join('\n\n')
    .replaceAll('--', '- -');
}

/** `folder`: with page.js and page.css. `bundled`: the packages in them. */
export async function pageTemplate(folder, bundled) {
  const script = readFileSync(join(folder, 'page.js'), 'utf8');
  const style = readFileSync(join(folder, 'page.css'), 'utf8');
  const loader = readFileSync(join(root, 'renderer/page/loader.js'), 'utf8');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(loader)} ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="Leanscope ${version}">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{title}}</title>
</head>
<body>
<!--
${licencesOf(bundled)}
-->
<div id="root"></div>
<noscript>{{summary}}</noscript>
<script type="application/octet-stream" id="leanscope-profile">{{profile}}</script>
${await packed('leanscope-style', style)}
${await packed('leanscope-code', script)}
<script>${loader}</script>
</body>
</html>
`;
}
