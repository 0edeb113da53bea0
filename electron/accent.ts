import { systemPreferences } from 'electron'

/** The accent colour of the system as `#rrggbb`; null if it has none, as on many desktops of Linux. */
export function accentColor(): string | null {
  // `RRGGBBAA`: https://www.electronjs.org/docs/latest/api/system-preferences
  const told = systemPreferences.getAccentColor()
  return /^[0-9a-f]{8}$/i.test(told) ? `#${told.slice(0, 6)}` : null
}
