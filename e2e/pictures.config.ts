import { defineConfig } from 'playwright/test'
import tests from './playwright.config.ts'

/** Makes the pictures of docs/images from the real app: `npm run pictures`. */
export default defineConfig(tests, { testMatch: 'pictures.ts', retries: 0 })
