import sharp from 'sharp'
import { expect, test } from './help/app.ts'
import { samples } from './help/samples.ts'
import { tour } from './help/tour.ts'

test(
  'the tour that a release makes in its own window works in a browser',
  { tag: '@full' },
  async ({ app }, info) => {
    const screenshot = info.outputPath('tour.png')
    await tour(app.page, samples.png, screenshot)
    expect((await sharp(screenshot).stats()).entropy).toBeGreaterThan(1)
  },
)
