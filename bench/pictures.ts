import sharp from 'sharp'

/** A picture with detail everywhere, like a photograph: smooth shapes under noise. JPEG, quality 92. */
export async function photograph(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const shapes = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#888', noise } })
    .resize(width, height, { kernel: 'cubic' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const grain = await sharp({
    create: { width, height, channels: 3, background: '#888', noise: { ...noise, sigma: 12 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(shapes)
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 92 })
    .toBuffer()
}
