/** The sections of the settings, each with an address of its own. */
export const sections = ['general', 'conversions', 'api', 'about'] as const
export type Section = (typeof sections)[number]

/** The section an address names; the first one when it names none. */
export const sectionOf = (word: string | undefined): Section =>
  sections.find(section => section === word) ?? 'general'
