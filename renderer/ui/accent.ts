/** The colour of what can be pressed and of what is chosen: Refile's green, or the one that the system's own windows have. */
import { desktop } from '../api/desktop.ts'

const KEY = 'refile-accent'

export const accents = ['refile', 'system'] as const
export type Accent = (typeof accents)[number]

/** Whether the system tells its colour, through the shell or through the browser. */
export const isSystemAccentKnown = (): boolean =>
  desktop().accentColor !== undefined || CSS.supports('color', 'AccentColor')

export const chosenAccent = (): Accent =>
  isSystemAccentKnown() && localStorage.getItem(KEY) === 'system' ? 'system' : 'refile'

/** Shows the page in the chosen colour. The style sheet takes its hue, and a lightness on which everything stays legible. */
async function show(): Promise<void> {
  const { dataset, style } = document.documentElement
  dataset.accent = chosenAccent()
  if (dataset.accent === 'refile') return
  // The browser's own colour stands in the style sheet.
  const told = await desktop().accentColor?.()
  if (told) style.setProperty('--accent', told)
}

export function chooseAccent(accent: Accent): void {
  localStorage.setItem(KEY, accent)
  void show().catch(() => {})
}

/** Shows the page in the chosen colour from now on: to change the system's, a person leaves the window and comes back. */
export async function startAccent(): Promise<void> {
  const follow = () => show().catch(() => {})
  window.addEventListener('focus', () => void follow())
  await follow()
}
