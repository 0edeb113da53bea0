import { desktop } from '../api/desktop.ts'

/** The sections of the settings, each with an address of its own. */
const all = ['general', 'desktop', 'conversions', 'api', 'about'] as const
export type Section = (typeof all)[number]

/** The sections there are here: what concerns the desktop can be set only where its shell is around the page. */
export const sections = (): readonly Section[] =>
  all.filter(section => section !== 'desktop' || desktop().settings !== undefined)

/** The section an address names; the first one when it names none. */
export const sectionOf = (word: string | undefined): Section =>
  sections().find(section => section === word) ?? 'general'
