import { defineConfig } from 'playwright/test'
import { isFull } from '../testing/fixtures/full.ts'

export default defineConfig({
  testDir: '.',
  // The long tests, which `npm run test:full` adds.
  grepInvert: isFull ? undefined : /@full/,
  outputDir: '../test-results',
  globalSetup: ['./help/build.ts', './help/temporary-folder.ts'],
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? '../test-results/report.json' }],
  ],
  // One more than an ordinary machine has cores: a test often waits for a conversion or for the page, and a core would lie idle.
  workers: 3,
  fullyParallel: true,
  // A race is a failure; the full run lists as flaky what passes only the second time.
  retries: isFull ? 1 : 0,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    viewport: { width: 1200, height: 860 },
    // Nobody watches, and a test need not wait for what moves.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // Draws pages as the browser does, and takes a quarter less processor time.
      executablePath: process.env.REFILE_CHROMIUM || '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        // The name of a foreign page resolves to this machine, as after DNS rebinding.
        '--host-resolver-rules=MAP *.test 127.0.0.1',
      ],
    },
  },
})
