import { readFileSync, writeFileSync } from 'node:fs'
import type { Rectangle } from 'electron'
import { isLanguage } from './words.ts'

/** What the shell remembers from one start to the next. */
export interface Preferences {
  /** Where the window was when it closed, as it is when not maximised. */
  bounds: Rectangle | null
  maximized: boolean
  /** Closing the window leaves the service running, with an icon in the tray. */
  keepRunning: boolean
  /** New versions are downloaded and installed, where there is a feed of them. */
  keepUpdated: boolean
  /** The language the page spoke last; null before it has. */
  language: string | null
}

const defaults: Preferences = {
  bounds: null,
  maximized: false,
  keepRunning: false,
  keepUpdated: true,
  language: null,
}

function isRectangle(value: unknown): value is Rectangle {
  const { x, y, width, height } = (value ?? {}) as Partial<Rectangle>
  return [x, y, width, height].every(Number.isInteger)
}

/** Reads what was remembered; a missing or damaged file means the defaults. */
export function readPreferences(path: string): Preferences {
  try {
    const { bounds, maximized, keepRunning, keepUpdated, language } = JSON.parse(readFileSync(path, 'utf8'))
    return {
      bounds: isRectangle(bounds) ? bounds : null,
      maximized: maximized === true,
      keepRunning: keepRunning === true,
      keepUpdated: keepUpdated !== false,
      language: isLanguage(language) ? language : null,
    }
  } catch {
    return { ...defaults }
  }
}

/** Remembers. A disk that refuses costs a window position, nothing more. */
export function writePreferences(path: string, preferences: Preferences): void {
  try {
    writeFileSync(path, JSON.stringify(preferences))
  } catch {
    // Not worth a word to anyone.
  }
}
