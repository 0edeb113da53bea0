import sharp from 'sharp'

/** Points of noise along the short edge, layer by layer: each finer than the one before, and fainter. */
const OCTAVES = [3, 6, 12, 24, 48, 96, 192, 384, 768].map(points => ({ points, sigma: 26 / points ** 0.25 }))
/** Layers in colour; finer structure of nature is mostly light and shade. */
const COLOURED = 4

const noise = (width: number, height: number, sigma: number) =>
  sharp({
    create: {
      ...{ width, height, channels: 3, background: '#808080' },
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  })

/**
 * A picture as encoders find photographs to be: detail that falls off towards fine structure, hard edges of things
 * before others, and a sensor's faint grain. JPEG, quality 95. A photograph of your own takes its place when
 * `BENCH_PICTURE` names its file.
 */
export async function photograph(width: number, height: number): Promise<Buffer> {
  const own = process.env.BENCH_PICTURE
  if (own) {
    const picture = sharp(own).autoOrient().toColourspace('srgb').flatten()
    return picture.resize(width, height, { fit: 'cover' }).jpeg({ quality: 95 }).toBuffer()
  }
  const layers = await Promise.all(
    OCTAVES.map(async ({ points, sigma }, index) => {
      const layer = noise(Math.round((points * width) / height), points, sigma)
      const tinted = index < COLOURED ? layer : layer.toColourspace('b-w')
      const large = tinted.resize(width, height, { kernel: 'cubic', fit: 'fill' })
      return { input: await large.png({ compressionLevel: 1 }).toBuffer(), blend: 'hard-light' as const }
    }),
  )
  const grain = await noise(width, height, 1.5).png({ compressionLevel: 1 }).toBuffer()
  return sharp(grain)
    .composite([...layers, { input: Buffer.from(things(width, height)) }])
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** An SVG of overlapping see-through shapes of many sizes, the same in every run. */
function things(width: number, height: number): string {
  let state = 7
  // The generator of ISO C's example of rand().
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const shapes = Array.from({ length: 220 }, () => {
    const size = height * 0.16 * random() ** 3 + 8
    const box = `width="${size * (0.2 + 2 * random())}" height="${size}" rx="${size * random() * 0.5}"`
    const colour = `hsl(${random() * 360} ${random() * 50}% ${20 + random() * 60}%)`
    const place = `translate(${random() * width} ${random() * height}) rotate(${random() * 360})`
    return `<rect ${box} fill="${colour}" fill-opacity="${0.35 + 0.5 * random()}" transform="${place}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join('')}</svg>`
}
