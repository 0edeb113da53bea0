import { readFileSync, writeFileSync } from 'node:fs'
import type { Rectangle } from 'electron'
import { isLanguage } from '../languages/tags.ts'

/** What the shell remembers between starts. */
export interface Preferences {
  /** Bounds of the window when it was closed, as when not maximised. */
  bounds: Rectangle | null
  maximized: boolean
  /** Closing the window leaves the service running, with an icon in the tray. */
  keepRunning: boolean
  /** New versions are downloaded and installed, if there is an update feed. */
  keepUpdated: boolean
  /** The last language of the page; null before there is one. */
  language: string | null
}

function isRectangle(value: unknown): value is Rectangle {
  const { x, y, width, height } = (value ?? {}) as Partial<Rectangle>
  return [x, y, width, height].every(Number.isInteger)
}

/** Reads the stored preferences; a missing or damaged file means the defaults. */
export function readPreferences(path: string): Preferences {
  const { bounds, maximized, keepRunning, keepUpdated, language } = storedIn(path)
  return {
    bounds: isRectangle(bounds) ? bounds : null,
    maximized: maximized === true,
    keepRunning: keepRunning === true,
    keepUpdated: keepUpdated !== false,
    language: isLanguage(language) ? language : null,
  }
}

function storedIn(path: string): Partial<Record<keyof Preferences, unknown>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) ?? {}
  } catch {
    return {}
  }
}

/** Stores the preferences. If the disk refuses, only these are lost. */
export function writePreferences(path: string, preferences: Preferences): void {
  try {
    writeFileSync(path, JSON.stringify(preferences))
  } catch {
    // Not worth reporting.
  }
}
