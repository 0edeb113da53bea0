import { defineConfig } from 'playwright/test'
import tests from './playwright.config.ts'

/** The tests of the pictures. As projects, each has a service of its own, so that none shows what another has left there. */
const pictures = {
  results: /from the drop to the result/,
  screens: /every other screen/,
  film: /a screencast/,
}

/** Makes the pictures of docs/images from the real app: `npm run pictures`. */
export default defineConfig(tests, {
  testMatch: 'pictures.ts',
  retries: 0,
  projects: Object.entries(pictures).map(([name, grep]) => ({ name, grep })),
})
