/** SVG and Lottie documents that reach for other files or never end. */
import { gzipSync } from 'node:zlib'
import { zipOf } from '../hostile-archives.ts'
import { movingSquare } from '../lottie.ts'
import { type Attack, attacksOn, type Bait, canary, laughs, longEntity, outside } from './attack.ts'
import { inflatingGzip } from './bombs.ts'

const svg = (body: string, prolog = '', size = 'width="40" height="40"') =>
  `<?xml version="1.0"?>${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`

/** The same reference in every spelling, to a picture that must not be read. */
const spellings = (bait: Bait, suffix: 'png' | 'svg' | 'css'): string[] => [
  `file://${canary(bait, suffix)}`,
  `file:${canary(bait, suffix)}`,
  `FILE:///${canary(bait, suffix)}`,
  `file://localhost${canary(bait, suffix)}`,
  canary(bait, suffix),
  `../../../../../../../../../../..${canary(bait, suffix)}`,
  `..%2f..%2f..%2f..%2f..%2f..${canary(bait, suffix)}`,
  `${bait.url}/a.${suffix}`,
  `//${bait.authority}/b.${suffix}`,
  `\\\\${bait.authority}\\share\\c.${suffix}`,
  `ftp://${bait.authority}/d.${suffix}`,
  `jar:${bait.url}/e.jar!/f.${suffix}`,
]

const doubling = (element: (n: number) => string, depth: number) =>
  Array.from({ length: depth }, (_, n) => element(n)).join('')

const documents: Record<string, Attack['bytes']> = {
  'pictures of files and addresses': bait =>
    svg(
      spellings(bait, 'png')
        .map(href => `<image href="${href}" xlink:href="${href}" width="40" height="40"/>`)
        .join(''),
    ),
  'parts of other vector graphics': bait =>
    svg(
      spellings(bait, 'svg')
        .map(
          href =>
            `<use href="${href}#x" xlink:href="${href}#x"/><rect width="9" height="9" fill="url(${href}#x)" filter="url(${href}#x)" mask="url(${href}#x)" clip-path="url(${href}#x)"/>`,
        )
        .join(''),
    ),
  'style sheets and fonts from elsewhere': bait =>
    svg(
      `<style>${spellings(bait, 'css')
        .map(href => `@import "${href}";@import url(${href});@font-face{font-family:f;src:url(${href})}`)
        .join('')} text{font-family:f}</style><text y="20">text</text>`,
      spellings(bait, 'css')
        .map(href => `<?xml-stylesheet href="${href}"?>`)
        .join(''),
    ),
  'a vector graphic within one that asks': bait =>
    svg(
      `<image href="data:image/svg+xml;base64,${Buffer.from(
        svg(
          spellings(bait, 'png')
            .map(href => `<image href="${href}" width="40" height="40"/>`)
            .join(''),
        ),
      ).toString('base64')}" width="40" height="40"/>`,
    ),
  'filters, cursors, scripts, frames and videos': bait =>
    svg(
      spellings(bait, 'png')
        .map(
          href =>
            `<filter id="f"><feImage href="${href}"/></filter><rect width="9" height="9" filter="url(#f)" style="cursor:url(${href});background:url('${href}')"/><script href="${href}"/><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${href}"/><img xmlns="http://www.w3.org/1999/xhtml" src="${href}"/></foreignObject><color-profile xlink:href="${href}"/><tref xlink:href="${href}"/><animate href="${href}" attributeName="href" to="${href}"/>`,
        )
        .join(''),
    ),
  'XML included': bait =>
    svg(
      `<text y="20"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${canary(bait, 'txt')}" parse="text"/></text>`,
    ),
  'entities of files and addresses': bait => svg('<text y="20">&file;&web;</text>', outside('svg', bait)),
  'a billion laughs': () => svg('<text>&laugh9;</text>', laughs('svg')),
  'a long entity a thousand times': () => svg(`<text>${'&long;'.repeat(1000)}</text>`, longEntity('svg')),
  'entities that hold one another': () =>
    svg('<text>&a;</text>', '<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]>'),
  'a hundred thousand groups in one another': () => svg('<g>'.repeat(100_000) + '</g>'.repeat(100_000)),
  'parts used twice in the next, forty times': () =>
    svg(
      `<g id="u0"><rect width="1" height="1"/></g>${doubling(n => `<g id="u${n + 1}"><use href="#u${n}"/><use href="#u${n}"/></g>`, 40)}<use href="#u40"/>`,
    ),
  'a part of itself': () => svg('<g id="a"><use href="#a"/></g><use href="#a"/>'),
  'patterns filled with themselves': () =>
    svg(
      '<pattern id="p" width="1" height="1"><rect width="1" height="1" fill="url(#q)"/></pattern><pattern id="q" width="1" height="1"><rect width="1" height="1" fill="url(#p)"/></pattern><rect width="40" height="40" fill="url(#p)"/>',
    ),
  'filters that grow twenty times over': () =>
    svg(
      `<filter id="f" x="-1e9" y="-1e9" width="1e10" height="1e10">${doubling(() => '<feGaussianBlur stdDeviation="1e6"/><feMorphology operator="dilate" radius="1e6"/><feTurbulence numOctaves="2000000000"/>', 20)}</filter><rect width="40" height="40" filter="url(#f)"/>`,
    ),
  'dashes of nothing on an endless line': () =>
    svg(
      '<path d="M0 0L1e30 1e30" stroke="#000" stroke-width="1e-9" stroke-dasharray="1e-30 1e-30"/><path d="M0 0A1e-30 1e30 0 1 1 1e30 1e-30" stroke="#000"/>',
    ),
  'a size of 2^31 by 2^31': () =>
    svg('<rect width="9" height="9"/>', '', 'width="2147483647" height="2147483647"'),
  'sizes that are no numbers': () =>
    svg(
      '<rect width="NaN" height="1e400" transform="scale(1e400)"/>',
      '',
      'width="1e400" height="-1" viewBox="0 0 0 NaN"',
    ),
  'a pattern of a billionth over everything': () =>
    svg(
      '<pattern id="p" patternUnits="userSpaceOnUse" width="1e-9" height="1e-9"><rect width="1" height="1"/></pattern><rect width="40" height="40" fill="url(#p)"/>',
    ),
  'a million selectors': () =>
    svg(
      `<style>${Array.from({ length: 20_000 }, (_, n) => `g > g ~ * + *.c${n}{fill:red}`).join('')}</style>${'<g><g/><a/><b/></g>'.repeat(500)}`,
    ),
}

const solid = { ty: 1, sw: 100, sh: 80, sc: '#ff0000', ip: 0, op: 1e6, st: 0, ks: {} }
const anchored = (assets: object[], layers: object[]) => movingSquare({ assets, layers })

/** The JSON of hostile animations, used in both packings. */
const animations: Record<string, (bait: Bait) => string> = {
  'pictures of files and addresses': bait =>
    JSON.stringify(
      anchored(
        spellings(bait, 'png').flatMap((href, n) => [
          { id: `a${n}`, w: 40, h: 40, u: '', p: href, e: 0 },
          {
            id: `b${n}`,
            w: 40,
            h: 40,
            u: href.slice(0, href.lastIndexOf('/') + 1),
            p: href.slice(href.lastIndexOf('/') + 1),
            e: 1,
          },
        ]),
        spellings(bait, 'png').flatMap((_, n) => [
          { ...solid, ty: 2, refId: `a${n}` },
          { ...solid, ty: 2, refId: `b${n}` },
        ]),
      ),
    ),
  'fonts from elsewhere': bait =>
    JSON.stringify(
      movingSquare({
        fonts: {
          list: spellings(bait, 'css').map((href, n) => ({
            fName: `f${n}`,
            fFamily: 'f',
            fStyle: 'R',
            fPath: href,
            origin: 3,
          })),
        },
        layers: [{ ...solid, ty: 5, t: { d: { k: [{ t: 0, s: { t: 'text', f: 'f0', s: 20 } }] }, a: [] } }],
      }),
    ),
  'expressions that never end': bait =>
    JSON.stringify(
      movingSquare({
        layers: [{ ...solid, ks: { o: { a: 0, k: 50, x: `while(1){}; fetch("${bait.url}")` } } }],
      }),
    ),
  'a hundred thousand brackets': () => `{"v":"5","layers":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a billion frames': () => JSON.stringify(movingSquare({ op: 1e9 })),
  'a frame rate of nothing, and a size of everything': () =>
    JSON.stringify(movingSquare({ fr: 1e-300, w: 1e9, h: 1e9 })),
  'compositions used twice in the next, forty times': () =>
    JSON.stringify(
      anchored(
        Array.from({ length: 40 }, (_, n) => ({
          id: `c${n}`,
          layers: [0, 1].map(() =>
            n === 0 ? solid : { ...solid, ty: 0, refId: `c${n - 1}`, w: 100, h: 80 },
          ),
        })),
        [{ ...solid, ty: 0, refId: 'c39', w: 100, h: 80 }],
      ),
    ),
  'a shape repeated ten million times': () =>
    JSON.stringify(
      movingSquare({
        layers: [
          {
            ...solid,
            ty: 4,
            shapes: [
              {
                ty: 'gr',
                it: [
                  { ty: 'rc', s: { a: 0, k: [9, 9] }, p: { a: 0, k: [0, 0] }, r: { a: 0, k: 0 } },
                  { ty: 'rp', c: { a: 0, k: 1e7 }, o: { a: 0, k: 0 }, tr: {} },
                  { ty: 'tr' },
                ],
              },
            ],
          },
        ],
      }),
    ),
  'layers that are each their own parent': () =>
    JSON.stringify(
      movingSquare({
        layers: [
          { ...solid, ind: 1, parent: 2 },
          { ...solid, ind: 2, parent: 1 },
        ],
      }),
    ),
}

const packed = (change: (json: string) => Uint8Array): Record<string, Attack['bytes']> =>
  Object.fromEntries(
    Object.entries(animations).map(([name, make]) => [name, (bait: Bait) => change(make(bait))]),
  )

export const vectorGraphicAttacks: Attack[] = [
  ...attacksOn('svg', documents),
  ...attacksOn(
    'lottie',
    packed(json => Buffer.from(json)),
    { suffix: 'json', targets: ['apng', 'gif', 'png', 'webm'] },
  ),
  ...attacksOn(
    'tgs',
    packed(json => gzipSync(json)),
    { targets: ['jpg', 'webp'] },
  ),
  ...attacksOn('tgs', { 'a gigabyte of spaces': () => inflatingGzip(1000, ' ') }),
  ...attacksOn(
    'lottie',
    {
      'a package whose names lead out': bait =>
        zipOf([
          {
            name: 'manifest.json',
            data: Buffer.from(
              JSON.stringify({ animations: [{ id: `../../../../..${canary(bait, 'txt')}` }, { id: 'a' }] }),
            ),
          },
          {
            name: 'animations/a.json',
            data: Buffer.from(animations['pictures of files and addresses']!(bait)),
          },
          { name: '../../evil.json', data: Buffer.from('{}') },
          { name: `images/..${canary(bait, 'png')}`, kind: 'symlink', target: canary(bait, 'png') },
        ]),
    },
    { suffix: 'lottie' },
  ),
]
