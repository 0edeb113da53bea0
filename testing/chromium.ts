/** Renders SVG with Chromium, and compares pictures with them. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright'
import sharp from 'sharp'
import { onFileEnd } from './file-end.ts'

/** Font families that SVG documents use, by the metric-compatible ones in our font folder. */
const families: Record<string, string[]> = {
  Arimo: ['Arial', 'Helvetica', 'sans-serif'],
  Tinos: ['Times', 'Times New Roman', 'serif'],
  Cousine: ['Courier', 'Courier New', 'monospace'],
}

function fontSettings(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'refile-fonts-')), 'fonts.conf')
  const aliases = Object.entries(families).flatMap(([ours, names]) =>
    names.map(
      name =>
        `<alias binding="same"><family>${name}</family><prefer><family>${ours}</family></prefer></alias>`,
    ),
  )
  const folder = join(import.meta.dirname, '../resources/fonts')
  writeFileSync(
    path,
    `<?xml version="1.0"?><fontconfig><dir>${folder}</dir><cachedir>${tmpdir()}</cachedir>${aliases.join('')}</fontconfig>`,
  )
  return path
}

let running: Promise<Browser> | undefined

/** Starts Chromium once for all SVG documents of a test file. */
function started(): Promise<Browser> {
  if (running) return running
  const browser = chromium.launch({
    executablePath: process.env.REFILE_CHROMIUM || '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--force-color-profile=srgb',
    ],
    env: { ...process.env, FONTCONFIG_FILE: fontSettings() },
  })
  running = browser
  onFileEnd(async () => {
    running = undefined
    await (await browser).close()
  })
  return browser
}

/**
 * Renders SVG documents in Chromium as PNG, all on one page. On Linux Chromium rounds letter widths to whole pixels unless a
 * document asks for precision; on other systems it does not, so precision is requested.
 */
export async function chromiumPictures(documents: Record<string, string>): Promise<Record<string, Buffer>> {
  const page = await (await started()).newPage()
  try {
    const precise = Object.entries(documents).map(([name, text]) => [
      name,
      text.replace(/<(?:s:)?svg /, '$&text-rendering="geometricPrecision" '),
    ])
    const shots = await page.evaluate(async (entries: string[][]) => {
      const draw = async ([name = '', text = '']: string[]) => {
        const image = new Image()
        image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
        await image.decode()
        // Fonts and pictures inside an SVG document are decoded a little later.
        await new Promise(resolve => setTimeout(resolve, 300))
        const canvas = document.createElement('canvas')
        // A document with only a view box is given that size here.
        const box = /^<svg[^>]* viewBox="0 0 (\d+) (\d+)"/.exec(text.replace(/^<svg[^>]* width=/, ''))
        canvas.width = box ? Number(box[1]) : image.naturalWidth
        canvas.height = box ? Number(box[2]) : image.naturalHeight
        canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
        return [name, canvas.toDataURL('image/png').split(',')[1]!]
      }
      return Promise.all(entries.map(draw))
    }, precise)
    return Object.fromEntries(shots.map(([name, data]) => [name!, Buffer.from(data!, 'base64')]))
  } finally {
    await page.close()
  }
}

/** Difference of a channel, of 255, that counts as visible. */
const VISIBLE = 40

/**
 * Share of pixels without a similar pixel in the other picture within a distance of one, which allows for different
 * smoothing and rounding of edges; 1 if the sizes differ. Compared on white and on dark grey, so that transparency
 * counts.
 */
export async function pixelDifference(a: Buffer | string, b: Buffer | string): Promise<number> {
  let worst = 0
  for (const background of ['#ffffff', '#404040']) {
    const [one, other] = await Promise.all([a, b].map(picture => rgbOn(picture, background)))
    if (one!.width !== other!.width || one!.height !== other!.height) return 1
    worst = Math.max(worst, missing(one!, other!), missing(other!, one!))
  }
  return worst
}

interface Rgb {
  data: Buffer
  width: number
  height: number
}

async function rgbOn(picture: Buffer | string, background: string): Promise<Rgb> {
  const pipeline = sharp(picture).flatten({ background }).toColourspace('srgb').removeAlpha()
  const { data, info } = await pipeline.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Share of the pixels of `one` that have no similar neighbour in `other`. */
function missing(one: Rgb, other: Rgb): number {
  const { width, height } = one
  const isLike = (at: number, there: number) => {
    for (let channel = 0; channel < 3; channel++) {
      if (Math.abs(one.data[at + channel]! - other.data[there + channel]!) > VISIBLE) return false
    }
    return true
  }
  let count = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      let found = isLike(at, at)
      for (let near = 0; near < 9 && !found; near++) {
        const [u, v] = [x + (near % 3) - 1, y + Math.floor(near / 3) - 1]
        found = u >= 0 && v >= 0 && u < width && v < height && isLike(at, (v * width + u) * 3)
      }
      if (!found) count++
    }
  }
  return count / (width * height)
}
