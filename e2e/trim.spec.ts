import { execFileSync } from 'node:child_process'
import { type App, expect, test } from './help/app.ts'
import { faultsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { choose, convert } from './help/steps.ts'

const slider = ({ page }: App, name: string) => page.getByRole('slider', { name, exact: true })

test('two parts of a video are kept by handles, keys and buttons, and the rest is gone', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  await page.getByLabel('Files to convert').setInputFiles(fixtures.mp4)
  await choose(app, 'Clip.mp4', 'Matroska')
  await page.getByRole('button', { name: 'All options' }).click()
  const cutOut = page.getByRole('button', { name: 'Cut out the middle' })
  await cutOut.click()
  await cutOut.click()
  await page.getByRole('button', { name: /Leave out part 2/ }).click()
  await expect(page.getByRole('slider', { name: /, part \d$/ })).toHaveCount(4)

  // A frame of 25 a second, then a second, which the next part ends.
  const from = slider(app, 'From, part 2')
  const before = Number(await from.getAttribute('aria-valuenow'))
  await from.press('ArrowLeft')
  await expect(from).toHaveAttribute('aria-valuenow', String(before - 0.04))
  await slider(app, 'To, part 1').press('Shift+ArrowLeft')
  await expect(slider(app, 'To, part 1')).toHaveAttribute('aria-valuenow', '0.04')
  const handle = (await slider(app, 'To, part 1').boundingBox())!
  const bar = (await slider(app, 'To, part 1').locator('..').boundingBox())!
  await page.mouse.move(handle.x + handle.width / 2, bar.y + 20)
  await page.mouse.down()
  await page.mouse.move(bar.x + bar.width / 4, bar.y + 20, { steps: 3 })
  await page.mouse.up()
  await expect(slider(app, 'To, part 1')).toHaveAttribute('aria-valuenow', /^0\.(48|52)$/)
  await expect(slider(app, 'To, part 1').locator('..').locator('img')).toHaveCount(6, { timeout: 90_000 })
  expect(await faultsOf(app)).toEqual([])

  const parts = await page.getByRole('textbox', { name: 'Parts to keep' }).inputValue()
  const length = parts
    .split(', ')
    .map(part => part.split('-').map(time => Number(time.split(':')[1])))
    .reduce((sum, [start, end]) => sum + end! - start!, 0)
  await convert(app, 1)
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download Clip.mkv' }).click()
  const path = await (await saving).path()
  const shown = execFileSync('ffprobe', [
    '-v',
    'error',
    '-count_packets',
    '-select_streams',
    'v',
    '-show_entries',
    'stream=nb_read_packets',
    '-of',
    'csv=p=0',
    path,
  ])
  expect(Number(shown)).toBe(Math.round(length * 25))
})
