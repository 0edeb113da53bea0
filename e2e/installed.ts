import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { _electron } from 'playwright'
import { expect, test } from 'playwright/test'
import sharp from 'sharp'
import { tour } from './help/tour.ts'

/** The packaged app in Electron's own window; setup/release/window.ts names its program and where the screenshot goes. */
const { REFILE_WINDOW_PROGRAM: program = '', REFILE_WINDOW_SCREENSHOT: screenshot = '' } = process.env

test('the packaged app opens its window and converts what is dropped on it', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-window-'))
  const picture = join(home, 'picture.png')
  await sharp({ create: { width: 640, height: 480, channels: 3, background: '#3a7' } })
    .png()
    .toFile(picture)
  const env = { ...process.env, REFILE_HOME: join(home, 'data'), REFILE_PORT: '0' } as Record<string, string>
  const app = await _electron.launch({ executablePath: program, env, chromiumSandbox: true })
  try {
    const page = await app.firstWindow()
    await tour(page, picture, screenshot)
    // Beside the original, which only an app that knows its path can do.
    await expect.poll(() => existsSync(join(dirname(picture), 'picture.jpg'))).toBe(true)
  } finally {
    await app.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
})
