import sharp from 'sharp'

/** Noise cells along the short edge, layer by layer: each layer is finer and fainter than the one before. */
const OCTAVES = [3, 6, 12, 24, 48, 96, 192, 384, 768].map(points => ({ points, sigma: 26 / points ** 0.25 }))
/** Layers in colour; the finer structure of nature is mostly light and shade. */
const COLOURED = 4

const noise = (width: number, height: number, sigma: number) =>
  sharp({
    create: {
      ...{ width, height, channels: 3, background: '#808080' },
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  })

/**
 * A synthetic picture with the statistics of a photograph as encoders see it: detail that falls off at high frequencies, hard
 * edges where one object covers another, and fine sensor noise. JPEG, quality 95.
 */
export async function photograph(width: number, height: number): Promise<Buffer> {
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

/** An SVG of overlapping translucent shapes of many sizes, the same in every run. */
function things(width: number, height: number): string {
  let state = 7
  // The example generator of rand() in ISO C.
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
