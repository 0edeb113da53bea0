import sharp from 'sharp'
import { expect, test } from './app.ts'
import { samples } from './samples.ts'
import { tour } from './tour.ts'

test('the tour that a release makes in its own window works in a browser', async ({ app }, info) => {
  const screenshot = info.outputPath('tour.png')
  await tour(app.page, samples.png, screenshot)
  expect((await sharp(screenshot).stats()).entropy).toBeGreaterThan(1)
})
