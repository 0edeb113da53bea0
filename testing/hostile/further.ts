/** Comics, FictionBook, web pages, and the younger formats of pictures and archives. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, zstdCompressSync } from 'node:zlib'
import { writePicture } from '../../service/convert/engines/pictures/magick/write.ts'
import { page as bookPage, epubOf, picture } from '../fixtures/books.ts'
import { u32 } from '../fixtures/numbers.ts'
import { type HostileMember, tarOfMembers, zipOf } from '../hostile-archives.ts'
import { emf, wmf } from '../metafiles.ts'
import {
  type Attack,
  attacksOn,
  type Bait,
  canary,
  heavy,
  laughs,
  longEntity,
  outside,
  patched,
} from './attack.ts'
import { inflating } from './bombs.ts'
import { INHERITED } from './data.ts'

const addresses = (bait: Bait, suffix: 'png' | 'css' | 'txt' | 'svg'): string[] => [
  `${bait.url}/x.${suffix}`,
  `//${bait.authority}/y.${suffix}`,
  `file://${canary(bait, suffix)}`,
  canary(bait, suffix),
  `../../../../../../../../../..${canary(bait, suffix)}`,
]

/** Elements whose names every object of JavaScript knows, within and beside one another. */
const inherited = INHERITED.map(name => `<${name} ${name}="${name}">x<${name}/></${name}>`).join('')

const fb2 = (body: string, { prolog = '', more = '' } = {}) =>
  `<?xml version="1.0"?>${prolog}<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description><title-info><book-title>A</book-title></title-info></description><body><section><p>Text.</p>${body}</section></body>${more}</FictionBook>`

const fictionBooks: Record<string, Attack['bytes']> = {
  'entities of files and addresses': bait =>
    fb2('<p>&file;&web;</p>', { prolog: outside('FictionBook', bait) }),
  'a billion laughs': () => fb2('<p>&laugh9;</p>', { prolog: laughs('FictionBook') }),
  'an entity used a thousand times': () =>
    fb2(`<p>${'&long;'.repeat(1000)}</p>`, { prolog: longEntity('FictionBook') }),
  'pictures and links from elsewhere': bait =>
    fb2(
      addresses(bait, 'png')
        .map(href => `<image l:href="${href}"/><p><a l:href="${href}">x</a></p>`)
        .join(''),
    ),
  'a vector graphic that asks, as a picture': bait =>
    fb2('<image l:href="#a"/>', {
      more: `<binary id="a" content-type="image/png">${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${canary(bait, 'png')}" width="9" height="9"/><image href="${bait.url}/a.png" width="9" height="9"/></svg>`).toString('base64')}</binary>`,
    }),
  'elements that objects have': () => fb2(inherited),
  'ids that objects have': () =>
    fb2(
      INHERITED.map(name => `<p id="${name}"><a l:href="#${name}">x</a></p><image l:href="#${name}"/>`).join(
        '',
      ),
    ),
  'links that are no addresses': () =>
    fb2(
      ['javascript:alert(1)', '#%', '#%zz', '#"><script>', 'http://%', 'data:text/html,x']
        .map(href => `<p><a l:href="${href.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}">x</a></p>`)
        .join(''),
    ),
  'sections in sections, four hundred deep': () =>
    fb2(`${'<section><title><p>x</p></title>'.repeat(400)}<p>x</p>${'</section>'.repeat(400)}`),
  'sections in sections, a hundred thousand deep': () =>
    fb2(`${'<section>'.repeat(100_000)}${'</section>'.repeat(100_000)}`),
  'fifty thousand chapters': () =>
    fb2(`</section>${'<section><title><p>x</p></title><p>y</p></section>'.repeat(50_000)}<section>`),
  'a gigabyte of spaces in a ZIP': () =>
    zipOf([{ name: 'a.fb2', ...inflating(1000, ' ', '<FictionBook>', '</FictionBook>') }]),
}

const page = (body: string, head = '') =>
  `<!DOCTYPE html><html><head><title>A</title>${head}</head><body><p>Text.</p>${body}</body></html>`
const webPages: Record<string, Attack['bytes']> = {
  'everything from elsewhere': bait =>
    page(
      addresses(bait, 'png')
        .map(
          href =>
            `<img src="${href}" srcset="${href} 2x"><iframe src="${href}"></iframe><object data="${href}"></object><embed src="${href}"><video src="${href}" poster="${href}"></video><p style="background:url(${href})">x</p><table background="${href}"><tr><td>y</td></tr></table><input type="image" src="${href}"><svg><image href="${href}"/><use href="${href}#a"/></svg>`,
        )
        .join(''),
      addresses(bait, 'css')
        .map(
          href =>
            `<link rel="stylesheet" href="${href}"><style>@import "${href}"; @font-face { font-family: f; src: url(${href}) }</style><script src="${href}"></script><meta http-equiv="refresh" content="0;url=${href}">`,
        )
        .concat(`<base href="${bait.url}/">`)
        .join(''),
    ),
  'files included by a server or a program': bait =>
    page(
      `<!--#include file="${canary(bait, 'txt')}"--><?php readfile("${canary(bait, 'txt')}") ?><sdfield type="docinfo"></sdfield><p><a href="vnd.sun.star.script:x?language=Basic&location=application">x</a></p>`,
    ),
  'elements that objects have': () => page(inherited),
  'elements a hundred thousand deep': () => page(`${'<div>'.repeat(100_000)}x`),
  'lists five thousand deep': () => page(`${'<ul><li>'.repeat(5000)}x`),
  'tables in tables, three hundred deep': () => page(`${'<table><tr><td>'.repeat(300)}x`),
  'a table of a million cells in a row': () => page(`<table><tr>${'<td>'.repeat(100_000)}</tr></table>`),
  'cells over a million rows and columns': () =>
    page(
      '<table><tr><td colspan="1000000000" rowspan="1000000000">x</td></tr><tr><td colspan="65535" rowspan="65535">y</td></tr></table>',
    ),
  'formatting that never ends': () => page('<b><i><u><font color="red">x<p>'.repeat(2000)),
  'a million attributes': () =>
    page(`<p ${Array.from({ length: 200_000 }, (_, n) => `a${n}=${n}`).join(' ')}>x</p>`),
  'a picture within of nine hundred megapixels': () =>
    page(
      `<img src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>')}">`,
    ),
  'a saved page whose parts lead outside': bait =>
    `From: a\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html\n\n${page(`<img src="${canary(bait, 'png')}"><img src="cid:a">`)}\n--b\nContent-Location: ${canary(bait, 'png')}\n\n\n--b--`,
}

/** Elements, attributes and values of styles that every object of JavaScript knows. */
const values = `${inherited}${INHERITED.map(
  name =>
    `<ol type="${name}" style="list-style-type:${name}"><li class="${name}" id="${name}">x</li></ol><p align="${name}" lang="${name}" style="font-family:${name};font-size:${name};text-align:${name};color:${name};width:1${name};${name}:${name}">x<a href="#${name}">y</a></p><img src="a.${name}" alt="${name}"/><math xmlns="http://www.w3.org/1998/Math/MathML" mathvariant="${name}"><mi mathvariant="${name}">xy</mi><mover><mi>x</mi><mo>${name}</mo></mover><mo>${name}</mo><mfenced open="${name}" close="${name}"><mi>x</mi></mfenced><${name}/></math>`,
).join('')}`

const opf = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x</dc:identifier><dc:title>A</dc:title><dc:language>constructor</dc:language></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>${INHERITED.map(name => `<item id="${name}" href="a.${name}" media-type="${name}"/>`).join('')}</manifest><spine><itemref idref="a"/><itemref idref="constructor"/></spine></package>`

/** A Word file with these elements in its body. */
const word = (body: string) =>
  zipOf([
    {
      name: '[Content_Types].xml',
      data: Buffer.from(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ),
    },
    {
      name: '_rels/.rels',
      data: Buffer.from(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      ),
    },
    {
      name: 'word/document.xml',
      data: Buffer.from(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body><w:p><w:r><w:t>Text</w:t></w:r></w:p>${body}</w:body></w:document>`,
      ),
    },
  ])
const wordValues = INHERITED.map(
  name =>
    `<w:p><w:pPr><w:pStyle w:val="${name}"/><w:jc w:val="${name}"/><w:numPr><w:numId w:val="${name}"/></w:numPr></w:pPr><w:r><w:rPr><w:u w:val="${name}"/><w:highlight w:val="${name}"/><w:lang w:val="${name}"/><w:vertAlign w:val="${name}"/></w:rPr><w:t>x</w:t><w:sym w:font="${name}" w:char="${name}"/><w:br w:type="${name}"/></w:r><w:bookmarkStart w:id="1" w:name="${name}"/><w:hyperlink w:anchor="${name}"><w:r><w:t>y</w:t></w:r></w:hyperlink><m:oMath><m:acc><m:accPr><m:chr m:val="${name}"/></m:accPr><m:e><m:r><m:rPr><m:scr m:val="${name}"/><m:sty m:val="${name}"/></m:rPr><m:t>x</m:t></m:r></m:e></m:acc><m:nary><m:naryPr><m:chr m:val="${name}"/></m:naryPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:nary></m:oMath><w:${name}/><m:${name}/></w:p>`,
).join('')
const NAMES = 'names and values that objects have'

const known: Attack[] = [
  ...attacksOn('epub', {
    [NAMES]: () =>
      epubOf({
        'book.opf': opf,
        'a.xhtml': bookPage('A', values, {
          head: `<style>${INHERITED.map(name => `${name}, .${name}, :${name}, [${name}] { ${name}: ${name}; font: ${name} }`).join('')}</style>`,
        }),
        ...Object.fromEntries(INHERITED.slice(1).map(name => [`a.${name}`, 'x'])),
      }),
  }),
  ...attacksOn('html', { [NAMES]: () => page(values) }),
  ...attacksOn('md', {
    [NAMES]: () =>
      `---\n${INHERITED.map(name => `${name}: ${name}`).join('\n')}\n---\n\n${INHERITED.map(name => `# ${name} {#${name}}\n\n<${name}>x</${name}> [x][${name}] [^${name}] :${name}: &${name};\n\n> [!${name}]\n> x\n\n\`\`\`${name}\nx\n\`\`\`\n\n$\\${name}{x}$\n\n`).join('')}`,
  }),
  ...attacksOn('docx', { [NAMES]: () => word(wordValues) }),
  ...attacksOn('svg', {
    [NAMES]: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>${INHERITED.map(name => `${name}, .${name}, #${name} { ${name}: ${name}; fill: ${name}; font-size: ${name} }`).join('')}</style>${INHERITED.map(
        name =>
          `<${name} ${name}="${name}"/><text id="${name}" class="${name}" font-size="${name}" font-family="${name}" fill="${name}" fill="url(#${name})" transform="${name}(1)" style="${name}:${name};filter:${name}(1);writing-mode:${name};font-weight:${name};stroke-width:1${name}">x</text><use href="#${name}"/>`,
      )
        .join('')
        .replaceAll(/ fill="url[^"]*"/g, '')}</svg>`,
  }),
]

/** Pages of a comic in a ZIP. */
const comics: Record<string, Attack['bytes']> = {
  'pages that lead out': async bait => {
    const data = await picture(9, 9)
    return zipOf([
      { name: `../../../../../../..${canary(bait, 'png')}`, data },
      { name: canary(bait, 'png'), data },
      { name: 'link.jpg', kind: 'symlink', target: canary(bait, 'png') },
      { name: 'link.jpg', data },
      { name: 'page-0', data },
      { name: 'comic.pdf', data },
      { name: 'comic.epub', data },
    ])
  },
  'vector graphics that ask, as pages': async bait =>
    zipOf([
      { name: '1.jpg', data: await picture(9, 9) },
      ...addresses(bait, 'png').map((href, n) => ({
        name: `2${n}.jpg`,
        data: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${href}" width="9" height="9"/></svg>`,
        ),
      })),
    ]),
  'two gigabytes of nothing as a page': () => zipOf([{ name: '1.jpg', ...inflating(2000, '\0') }]),
  'facts that laugh': async () =>
    zipOf([
      { name: '1.jpg', data: await picture(9, 9) },
      {
        name: 'ComicInfo.xml',
        data: Buffer.from(
          `${laughs('ComicInfo')}<ComicInfo><Title>&laugh9;</Title><Series>${'x'.repeat(500_000)}</Series></ComicInfo>`,
        ),
      },
    ]),
  'facts of elements that objects have': async () =>
    zipOf([
      { name: '1.jpg', data: await picture(9, 9) },
      {
        name: 'ComicInfo.xml',
        data: Buffer.from(`<ComicInfo>${inherited}<LanguageISO>constructor</LanguageISO></ComicInfo>`),
      },
    ]),
  'six thousand pages': async () => {
    const data = await picture(2, 2)
    return zipOf(Array.from({ length: 6000 }, (_, n) => ({ name: `${n}.jpg`, data })))
  },
  'a page of 65500 by 65500': async () => {
    const data = patched(await picture(16, 16), 0, Buffer.alloc(0))
    const at = data.indexOf(Buffer.from('ffc0', 'hex'))
    return zipOf([{ name: '1.jpg', data: patched(data, at + 5, Buffer.from('ffdcffdc', 'hex')) }])
  },
}

/** A plain picture in a format that only ImageMagick writes. */
async function plain(format: 'jp2' | 'jxl', width: number, height: number): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'refile-plain-'))
  try {
    const path = join(folder, 'a')
    await writePicture(
      { data: Buffer.alloc(width * height * 3, 90), width, height, channels: 3 },
      format,
      90,
      path,
    )
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** JPEG 2000 with other sizes in its header and its codestream (SIZ: ISO 15444-1, A.5.1). */
async function jp2(width: number, height: number, tileWidth = width, tileHeight = height): Promise<Buffer> {
  const small = await plain('jp2', 16, 16)
  const header = small.indexOf('ihdr') + 4
  const siz = small.indexOf(Buffer.from('ff51', 'hex')) + 6
  const lied = patched(patched(small, header, u32(height, width)), siz, u32(width, height))
  return patched(lied, siz + 16, u32(tileWidth, tileHeight))
}

const pictures: Attack[] = [
  ...attacksOn('jp2', {
    'a size of 2^31 by 2^31': () => jp2(2 ** 31 - 1, 2 ** 31 - 1),
    'a size of 9999 by 9999 in a kilobyte': () => jp2(9999, 9999),
    'a hundred million tiles': () => jp2(9999, 9999, 1, 1),
    'half of it': async () => (await plain('jp2', 64, 64)).subarray(0, 300),
    'boxes within boxes': () =>
      Buffer.concat([
        Buffer.from('0000000c6a5020200d0a870a', 'hex'),
        Buffer.from('000000086a703268'.repeat(10_000), 'hex'),
      ]),
  }),
  ...attacksOn('jxl', {
    'ninety megapixels in a kilobyte': () => plain('jxl', 30_000, 3000),
    'half of it': async () => {
      const whole = await plain('jxl', 64, 64)
      return whole.subarray(0, whole.length >> 1)
    },
    'a size of a billion by a billion': () => Buffer.from(`ff0a${'f'.repeat(64)}`, 'hex'),
    'every byte changed': async () =>
      (await plain('jxl', 64, 64)).map((value, at) => (at < 4 ? value : value ^ 0x55)),
  }),
  ...attacksOn('qoi', {
    'a size of 2^31 by 2^31': () =>
      Buffer.concat([
        Buffer.from('qoif'),
        u32(2 ** 31 - 1, 2 ** 31 - 1),
        Buffer.from('0400', 'hex'),
        Buffer.alloc(64, 0xfd),
      ]),
    'a hundred megapixels in nothing': () =>
      Buffer.concat([Buffer.from('qoif'), u32(10_000, 10_000), Buffer.from('0400', 'hex'), Buffer.alloc(8)]),
  }),
  ...attacksOn('emf', {
    'a frame of 2^31 hundredths of a millimetre': () => {
      const bytes = emf([{ box: [0, 0, 900, 900], color: [200, 30, 40] }])
      u32(0, 0, 2 ** 31 - 1, 2 ** 31 - 1).copy(bytes, 24)
      return bytes
    },
    'a record longer than the file': () => {
      const bytes = emf([{ box: [0, 0, 900, 900], color: [200, 30, 40] }])
      u32(0xffff_fff0).copy(bytes, 92)
      return bytes
    },
  }),
  ...attacksOn('wmf', {
    'a record of no words': () => {
      const bytes = wmf([{ box: [0, 0, 900, 900], color: [200, 30, 40] }])
      u32(0).copy(bytes, 18)
      return bytes
    },
  }),
  ...attacksOn('tga', {
    'a size of 65535 by 65535': () =>
      Buffer.concat([Buffer.from('00000a000000000000000000ffffffff2000', 'hex'), Buffer.alloc(64, 0xff)]),
  }),
  ...attacksOn('dds', {
    'a size of 2^31 by 2^31': () => {
      const head = Buffer.alloc(128)
      head.write('DDS ')
      for (const [at, value] of [
        [4, 124],
        [8, 0x1007],
        [12, 2 ** 31 - 1],
        [16, 2 ** 31 - 1],
        [76, 32],
        [80, 4],
      ] as const)
        head.writeUInt32LE(value, at)
      head.write('DXT1', 84)
      return Buffer.concat([head, Buffer.alloc(64)])
    },
  }),
]

/** cpio(5), the new format. */
function cpio(members: readonly (HostileMember & { size?: number; mode?: number })[]): Buffer {
  const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
  const one = (
    {
      name,
      data = Buffer.alloc(0),
      kind,
      target,
      size,
      mode,
    }: HostileMember & { size?: number; mode?: number },
    n: number,
  ) => {
    const content = kind === 'symlink' ? Buffer.from(target ?? '') : data
    const path = Buffer.concat([Buffer.from(name), Buffer.alloc(1)])
    const modes = {
      file: 0o100644,
      folder: 0o040755,
      symlink: 0o120777,
      hardlink: 0o100644,
      device: 0o020644,
    }
    const fields = [
      n + 1,
      mode ?? modes[kind ?? 'file'],
      0,
      0,
      kind === 'hardlink' ? 2 : 1,
      0,
      size ?? content.length,
      0,
      0,
      5,
      1,
      path.length,
      0,
    ]
    const head = `070701${fields.map(value => value.toString(16).padStart(8, '0')).join('')}`
    return Buffer.concat([padded(Buffer.concat([Buffer.from(head), path])), padded(content)])
  }
  return Buffer.concat([...members, { name: 'TRAILER!!!' }].map(one))
}

const wayward = (bait: Bait): HostileMember[] => {
  const data = Buffer.from('overwritten')
  return [
    { name: `../../../../../../..${canary(bait, 'txt')}`, data },
    { name: canary(bait, 'txt'), data },
    { name: 'link', kind: 'symlink', target: canary(bait, 'txt') },
    { name: 'link', data },
    { name: 'folder', kind: 'symlink', target: bait.folder },
    { name: 'folder/canary.txt', data },
    { name: 'CON', data },
    { name: 'a\u202etxt.exe', data },
    { name: 'x'.repeat(4000), data },
    { name: `${'a/'.repeat(2000)}x`, data },
    { name: 'tty', kind: 'device' },
  ]
}
const hole = { name: 'a', data: Buffer.alloc(8), size: 0xffff_fff0 }

/** LZMA2 with a dictionary of four gigabytes in its block header (The .xz File Format, 3.1). */
const wideXz = () => {
  const packed = execFileSync('xz', ['-0'], { input: tarOfMembers([{ name: 'a', data: Buffer.alloc(100) }]) })
  const length = (packed[12]! + 1) * 4
  const head = packed.subarray(12, 12 + length)
  head[head.indexOf(Buffer.from('2101', 'hex')) + 2] = 40
  head.writeUInt32LE(crc32(head.subarray(0, length - 4)), length - 4)
  return packed
}
const pieces = (one: Buffer, count: number) => Buffer.concat(Array.from({ length: count }, () => one))
const zeros = (megabytes: number) => tarOfMembers([{ name: 'a', data: Buffer.alloc(megabytes * 1e6) }])

const archives: Attack[] = [
  ...attacksOn('cpio', {
    'members and links that lead out': bait => cpio(wayward(bait)),
    'a member of four gigabytes that is not there': () => cpio([hole]),
    'sixty thousand members of nothing': () =>
      cpio(Array.from({ length: 60_000 }, (_, n) => ({ name: `${n}` }))),
    'a name longer than the file': () => Buffer.from(`070701${'7fffffff'.repeat(13)}`),
    'the same member a thousand times': () =>
      cpio(Array.from({ length: 1000 }, () => ({ name: 'a', data: Buffer.from('a') }))),
  }),
  ...attacksOn(
    'tar-xz',
    {
      'members and links that lead out': bait =>
        execFileSync('xz', ['-0'], { input: tarOfMembers(wayward(bait)) }),
      'five gigabytes of nothing': () => pieces(execFileSync('xz', ['-1'], { input: zeros(100) }), 50),
      'a dictionary of four gigabytes': wideXz,
      'streams of nothing': () => pieces(execFileSync('xz', ['-0'], { input: '' }), 100_000),
    },
    { suffix: 'tar.xz' },
  ),
  ...attacksOn(
    'tar-zst',
    {
      'members and links that lead out': bait => zstdCompressSync(tarOfMembers(wayward(bait))),
      'five gigabytes of nothing': () => pieces(zstdCompressSync(zeros(100)), 50),
      'a window of two gigabytes': () =>
        execFileSync('zstd', ['--long=31', '--ultra', '-1', '-c'], { input: zeros(1), maxBuffer: 1e9 }),
      'frames that are skipped': () =>
        Buffer.concat([pieces(Buffer.from('502a4d1800000000', 'hex'), 200_000), zstdCompressSync(zeros(1))]),
    },
    { suffix: 'tar.zst' },
  ),
]

export const furtherAttacks: Attack[] = heavy(
  [
    ...known,
    ...attacksOn('fb2', fictionBooks),
    ...attacksOn('html', webPages),
    ...attacksOn('cbz', comics),
    ...pictures,
    ...archives,
  ],
  'a gigabyte of spaces in a ZIP',
  'fifty thousand chapters',
  'two gigabytes of nothing as a page',
  'six thousand pages',
  'ninety megapixels in a kilobyte',
  'a size of 9999 by 9999 in a kilobyte',
  'a hundred million tiles',
  'five gigabytes of nothing',
)
