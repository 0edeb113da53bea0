import sharp from 'sharp'
import { expect, test } from './help/app.ts'
import { fixtures } from './help/fixtures.ts'
import { tour } from './help/tour.ts'

test(
  'the tour that a release makes in its own window works in a browser',
  { tag: '@full' },
  async ({ app }, info) => {
    const screenshot = info.outputPath('tour.png')
    await tour(app.page, fixtures.png, screenshot)
    expect((await sharp(screenshot).stats()).entropy).toBeGreaterThan(1)
  },
)
