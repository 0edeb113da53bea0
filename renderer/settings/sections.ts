import { desktop } from '../api/desktop.ts'
import { isMember } from '../session/session.ts'

/** The sections of the settings, each with its own address. */
const all = ['general', 'desktop', 'conversions', 'watch', 'api', 'accounts', 'about'] as const
export type Section = (typeof all)[number]

/** The available sections: desktop settings exist only inside the desktop shell, other accounts only in a service for several; members of accounts have none of the machine. */
export const sections = (): readonly Section[] => {
  const inShell = desktop().settings !== undefined
  if (isMember()) return all.filter(section => section === 'general' || section === 'api')
  const shown: Partial<Record<Section, boolean>> = { desktop: inShell, accounts: !inShell }
  return all.filter(section => shown[section] ?? true)
}

/** The section in an address; the first one by default. */
export const sectionOf = (word: string | undefined): Section =>
  sections().find(section => section === word) ?? 'general'
