import { defineConfig } from 'playwright/test'
import tests from './playwright.config.ts'

/** The tests of the pictures, each with a service of its own, so that none shows what another has left there. */
const pictures = ['from the drop to the result', 'every other screen', 'a screencast']

/** Makes the pictures of docs/images from the real app: `npm run pictures`. */
export default defineConfig(tests, {
  testMatch: 'pictures.ts',
  retries: 0,
  projects: pictures.map(name => ({ name, grep: new RegExp(name) })),
})
