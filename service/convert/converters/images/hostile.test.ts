import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { gradient } from '../../../../testing/fixtures/pixels.ts'
import { bytesOf, decode, makePicture, writePnm } from '../../../../testing/pictures.ts'
import { type TestWorkers, testWorkers } from '../../../../testing/workers.ts'
import { JobFailure } from '../../../shared/errors.ts'
import { chunk, header, SIGNATURE } from '../../engines/pictures/formats/png.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-hostile-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

const jobs = {
  avif: 'image.avif-to-png',
  bmp: 'image.bmp-to-png',
  gif: 'image.gif-to-webp',
  ico: 'image.ico-to-png',
  jpg: 'image.jpg-to-png',
  png: 'image.png-to-jpg',
  tiff: 'image.tiff-to-png',
  webp: 'image.webp-to-png',
}

beforeAll(() => {
  writePnm(gradient(48, 48), file('a.ppm'))
  for (const format of Object.keys(jobs)) makePicture(file('a.ppm'), file(`a.${format}`))
})

test.each(Object.entries(jobs))('%s: text with this suffix is refused', async (format, job) => {
  writeFileSync(file(`text.${format}`), 'This is no picture at all, only a line of text.\n'.repeat(40))
  await expect(convertFile(job, file(`text.${format}`))).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

test("a vector graphic with a picture's suffix is not rendered", async () => {
  writeFileSync(file('svg.png'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  await expect(convertFile('image.png-to-jpg', file('svg.png'))).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

/** A valid single-colour PNG of any size, in few bytes. */
const blank = (width: number, height: number) => {
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header({ width, height, depth: 1, colorType: 0 })),
    chunk('IDAT', rows),
    chunk('IEND'),
  ])
}

const write = (name: string, bytes: Uint8Array) => {
  writeFileSync(file(name), bytes)
  return file(name)
}

describe('pictures that are too large', () => {
  test.each([
    ['for webp', 16_400, 4, 'image.png-to-webp'],
    ['for avif', 4, 16_400, 'image.png-to-avif'],
    ['for jpg', 70_000, 4, 'image.png-to-jpg'],
    ['for the memory that avif takes', 12_500, 12_500, 'image.png-to-avif'],
  ])('%s', async (_, width, height, job) => {
    writeFileSync(file('large.png'), blank(width, height))
    await expect(convertFile(job, file('large.png'))).rejects.toMatchObject({ code: 'jobs.too_large' })
  })

  test('in a vector graphic, all together', async () => {
    const images = [9000, 9001].map(height => {
      const href = `data:image/png;base64,${blank(9000, height).toString('base64')}`
      return `<image width="9" height="9" href="${href}"/>`
    })
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${images.join('')}</svg>`
    const path = write('pictures.svg', Buffer.from(svg))
    await expect(convertFile('image.svg-to-png', path)).rejects.toMatchObject({ code: 'jobs.too_large' })
  })

  test('are accepted if they are resized', async () => {
    writeFileSync(file('large.png'), blank(16_400, 400))
    const options = { resize: { enabled: true, preset: 'custom', value: 8200 } }
    const { path } = await convertFile('image.png-to-webp', file('large.png'), options)
    expect(decode(path).width).toBe(8200)
  })
})

describe('a small file that claims much memory is refused before it is allocated', () => {
  let workers: TestWorkers
  beforeAll(async () => {
    workers = await testWorkers(1, 60_000)
    // Engines allocate their startup memory now.
    for (const [format, job] of Object.entries(jobs)) await workers.convert(job, file(`a.${format}`))
    await workers.convert('image.svg-to-png', vectorGraphic('warm.svg', 20))
  })
  afterAll(() => workers.close())

  const vectorGraphic = (name: string, edge: number) => {
    writeFileSync(file(name), `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}"/>`)
    return file(name)
  }

  /** How much memory a hostile file may cost: a thirtieth of what the smallest of them would need once decoded. */
  const LIMIT_BYTES = 30e6

  test.each([
    // 2.7 GB.
    ['a blank PNG', 'image.png-to-jpg', () => write('large.png', blank(30_000, 30_000)), 'jobs.too_large'],
    // 1.2 GB.
    ['a bitmap of which only the header is there', 'image.bmp-to-png', claimingBitmap, 'jobs.corrupt_input'],
    // 0.9 GB a frame.
    ['two small frames on a huge canvas', 'image.webp-to-gif', hugeCanvas, 'jobs.too_large'],
    // 40 GB.
    [
      'a vector graphic of absurd size',
      'image.svg-to-png',
      () => vectorGraphic('huge.svg', 100_000),
      'jobs.too_large',
    ],
  ])('%s', async (_, job, make, expected) => {
    const { code, growthBytes } = await workers.convert(job, make())
    expect(code).toBe(expected)
    expect(growthBytes).toBeLessThan(LIMIT_BYTES)
  })

  test('the measurement works: an ordinary vector graphic takes as much as its pixels', async () => {
    const { code, growthBytes } = await workers.convert('image.svg-to-png', vectorGraphic('large.svg', 4000))
    expect(code).toBe('converted')
    if (process.platform === 'linux') expect(growthBytes).toBeGreaterThan(LIMIT_BYTES)
  })

  function claimingBitmap() {
    const bmp = Buffer.from(bytesOf(file('a.bmp')))
    bmp.writeInt32LE(20_000, 18)
    bmp.writeInt32LE(20_000, 22)
    return write('claims.bmp', bmp)
  }

  function hugeCanvas() {
    const frames = ['red', 'blue'].map(colour => {
      tool('convert', '-size', '8x8', `xc:${colour}`, file(`${colour}.png`))
      return file(`${colour}.png`)
    })
    tool('img2webp', ...frames, '-o', file('large.webp'))
    const webp = bytesOf(file('large.webp'))
    // A canvas of 15,000 by 15,000, as the VP8X chunk says.
    webp.writeUIntLE(14_999, 24, 3)
    webp.writeUIntLE(14_999, 27, 3)
    return write('large.webp', webp)
  }
})

describe('vector graphics', () => {
  const render = async (body: string, prolog = '') => {
    const attributes =
      'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="20"'
    writeFileSync(file('d.svg'), `${prolog}<svg ${attributes}>${body}</svg>`)
    return convertFile('image.svg-to-png', file('d.svg'))
  }

  test('open no other files', async () => {
    makePicture(file('a.ppm'), file('beside.png'))
    for (const href of ['beside.png', `file://${file('beside.png')}`, file('beside.png')]) {
      const { path } = await render(`<image xlink:href="${href}" width="20" height="20"/>`)
      expect(decode(path).data.every(value => value === 0)).toBe(true)
    }
  })

  test('reach no network', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await render(
      `<style>@import url("${url}/a.css");</style><image href="${url}/a.png" width="9" height="9"/>` +
        `<use href="${url}/b.svg#x"/><rect width="9" height="9" style="fill:url(${url}/c.svg#g)"/>`,
    )
    server.close()
    expect(requests).toBe(0)
  })

  test('of a billion laughs or with external entities do no harm', async () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      '',
    )
    await expect(
      render('<text>&l9;</text>', `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>`),
    ).rejects.toBeInstanceOf(JobFailure)
    const outside = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    // What cannot be replaced is text.
    const plain = await render('<text x="0" y="15">&amp;x;</text>')
    const { path } = await render('<text x="0" y="15">&x;</text>', outside)
    expect(Buffer.from(decode(path).data)).toEqual(Buffer.from(decode(plain.path).data))
  })
})
