import { defineConfig } from 'playwright/test'

/** A packaged app in its own window, started by setup/release/window.ts. */
export default defineConfig({
  testDir: '.',
  testMatch: 'installed.ts',
  outputDir: '../test-results',
  reporter: 'list',
  timeout: 180_000,
  expect: { timeout: 60_000 },
})
