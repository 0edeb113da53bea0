/** Pictures and fonts inside SVG. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { svgWith } from './document.ts'

const uri = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

const photo = () => {
  const data = Buffer.alloc(80 * 60 * 3)
  for (let i = 0; i < data.length; i++) {
    const x = Math.floor(i / 3) % 80
    const y = Math.floor(i / 240)
    data[i] = [x * 3, y * 4, 255 - x * 2][i % 3]!
  }
  return sharp(data, { raw: { width: 80, height: 60, channels: 3 } })
}

const image = (href: string, attributes: string) => `<image href="${href}" ${attributes}/>`

/** SVG documents containing pictures of every kind that browsers support. */
export async function images(): Promise<Record<string, string>> {
  const png = uri('image/png', await photo().png().toBuffer())
  const jpeg = uri('image/jpeg', await photo().jpeg({ quality: 95 }).toBuffer())
  const gif = uri('image/gif', await photo().gif().toBuffer())
  const webp = uri('image/webp', await photo().webp({ lossless: true }).toBuffer())
  const clear = uri(
    'image/png',
    await sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
    })
      .png()
      .toBuffer(),
  )
  const inner = uri(
    'image/svg+xml',
    Buffer.from(
      svgWith(
        '<rect width="40" height="40" fill="gold"/><circle cx="20" cy="20" r="15"/>',
        'width="40" height="40"',
      ),
    ),
  )
  const whole = 'x="10" y="10" width="180" height="180"'
  return {
    'a PNG in SVG': svgWith(image(png, whole)),
    'a JPEG in SVG': svgWith(image(jpeg, whole)),
    'a GIF in SVG': svgWith(image(gif, whole)),
    'a WebP in SVG': svgWith(image(webp, whole)),
    'SVG in SVG': svgWith(image(inner, whole)),
    'SVG written into its address': svgWith(
      image(
        `data:image/svg+xml;utf8,${encodeURIComponent(svgWith('<circle cx="50" cy="50" r="40" fill="teal"/>', 'width="100" height="100"'))}`,
        whole,
      ),
    ),
    'a transparent picture': svgWith(`<rect width="100" height="200" fill="blue"/>${image(clear, whole)}`),
    'pictures that fill, fit and stretch': svgWith(
      image(png, 'x="10" y="10" width="80" height="80" preserveAspectRatio="xMidYMid slice"') +
        image(png, 'x="110" y="10" width="80" height="80" preserveAspectRatio="none"') +
        image(png, 'x="10" y="110" width="80" height="80" preserveAspectRatio="xMinYMin"') +
        image(png, 'x="110" y="110" width="80" height="80" opacity=".4" transform="rotate(10 150 150)"'),
    ),
    'a picture with one length': svgWith(
      image(png, 'x="10" y="10" width="120"') + image(png, 'x="10" y="120"'),
    ),
    'a picture clipped to a circle': svgWith(
      `<clipPath id="c"><circle cx="100" cy="100" r="60"/></clipPath><g clip-path="url(#c)">${image(png, 'width="200" height="200" preserveAspectRatio="xMidYMid slice"')}</g>`,
    ),
    'a pattern of a picture': svgWith(
      `<defs><pattern id="p" patternContentUnits="objectBoundingBox" width="1" height="1"><use xlink:href="#i" transform="scale(.0125 .0166)"/></pattern><image id="i" width="80" height="60" xlink:href="${png}"/></defs><rect x="20" y="20" width="160" height="120" rx="20" fill="url(#p)"/>`,
    ),
    'a picture in a filter': svgWith(
      `<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="200" height="200"><feImage href="${png}" x="20" y="20" width="160" height="120" preserveAspectRatio="none"/></filter><rect width="200" height="200" filter="url(#f)"/>`,
    ),
    'pixels kept square': svgWith(
      `<image href="${uri(
        'image/png',
        await sharp(Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]), {
          raw: { width: 2, height: 2, channels: 3 },
        })
          .png()
          .toBuffer(),
      )}" ${whole} style="image-rendering:pixelated"/>`,
    ),
  }
}

const resource = (name: string) => readFileSync(join(import.meta.dirname, '../../resources/fonts', name))

/** A font in the WOFF format (W3C, 2012), every table compressed. */
function woff(font: Buffer): Buffer {
  const count = font.readUInt16BE(4)
  const header = Buffer.alloc(44 + count * 20)
  const tables: Buffer[] = []
  let offset = header.length
  for (let i = 0; i < count; i++) {
    const entry = font.subarray(12 + i * 16, 28 + i * 16)
    const length = entry.readUInt32BE(12)
    const packed = deflateSync(font.subarray(entry.readUInt32BE(8), entry.readUInt32BE(8) + length))
    const data =
      packed.length < length ? packed : font.subarray(entry.readUInt32BE(8), entry.readUInt32BE(8) + length)
    const at = 44 + i * 20
    entry.copy(header, at, 0, 4)
    header.writeUInt32BE(offset, at + 4)
    header.writeUInt32BE(data.length, at + 8)
    header.writeUInt32BE(length, at + 12)
    entry.copy(header, at + 16, 4, 8)
    tables.push(data, Buffer.alloc((4 - (data.length % 4)) % 4))
    offset += data.length + ((4 - (data.length % 4)) % 4)
  }
  header.write('wOFF', 0, 'latin1')
  font.copy(header, 4, 0, 4)
  header.writeUInt32BE(offset, 8)
  header.writeUInt16BE(count, 12)
  header.writeUInt32BE(font.length, 16)
  return Buffer.concat([header, ...tables])
}

/** SVG documents with embedded fonts; `woff2` packs a font into WOFF 2. */
export function fonts(woff2: (font: Buffer) => Buffer): Record<string, string> {
  const face = (family: string, source: string, more = '') =>
    `@font-face{font-family:${family};src:${source};${more}}`
  const text = (family: string, y: number) =>
    `<text x="10" y="${y}" font-size="40" font-family="${family}, Arial">Quick</text>`
  const mono = resource('Cousine-Bold.ttf')
  return {
    'a font in the SVG': svgWith(
      `<style>${face('Own', `url(${uri('font/ttf', mono)})`)}</style>${text('Own', 60)}`,
    ),
    'a font in WOFF': svgWith(
      `<defs><style type="text/css">${face("'My Font'", `url("${uri('application/font-woff', woff(mono))}") format("woff")`)}</style></defs>${text("'My Font'", 60)}`,
    ),
    'a font in WOFF 2': svgWith(
      `<style>${face('Own', `local("Not There"), url(${uri('font/woff2', woff2(mono))}) format("woff2")`)}</style>${text('Own', 60)}`,
    ),
    'fonts of several weights': svgWith(
      `<style>${face('Own', `url(${uri('font/woff2', woff2(resource('Tinos-Regular.ttf')))})`)}${face('Own', `url(${uri('font/woff2', woff2(resource('Tinos-BoldItalic.ttf')))})`, 'font-weight:bold')}</style>${text('Own', 60)}<g font-weight="bold">${text('Own', 120)}</g>`,
    ),
    'a font of SVG in SVG': svgWith(
      `<style>${face('Own', `url(${uri('font/ttf', resource('Tinos-Italic.ttf'))})`)}</style>${text('Own', 60)}<image x="0" y="60" width="200" height="100" href="${uri('image/svg+xml', Buffer.from(svgWith(`<style>${face('Own', `url(${uri('font/ttf', mono)})`)}</style>${text('Own', 60)}`, 'width="200" height="100"')))}"/>`,
    ),
    'a font named as another that is there': svgWith(
      `<style>${face('Arial', `url(${uri('font/ttf', mono)})`)}</style><text x="10" y="60" font-size="40" font-family="Arial">Quick</text>`,
    ),
  }
}
