import { desktop } from '../api/desktop.ts'

/** The sections of the settings, each with its own address. */
const all = ['general', 'desktop', 'conversions', 'api', 'about'] as const
export type Section = (typeof all)[number]

/** The available sections: desktop settings exist only inside the desktop shell. */
export const sections = (): readonly Section[] =>
  all.filter(section => section !== 'desktop' || desktop().settings !== undefined)

/** The section in an address; the first one by default. */
export const sectionOf = (word: string | undefined): Section =>
  sections().find(section => section === word) ?? 'general'
