import { desktop } from '../api/desktop.ts'
import { useSession } from '../session/session.ts'

/** The sections of the settings, each with its own address. */
const all = ['general', 'desktop', 'conversions', 'watch', 'api', 'accounts', 'about'] as const
export type Section = (typeof all)[number]

/** The available sections: desktop settings exist only inside the desktop shell, other accounts only in a service for several, for its owner. */
export const sections = (): readonly Section[] => {
  const inShell = desktop().settings !== undefined
  const isOwner = useSession.getState().session?.isOwner ?? false
  const shown: Partial<Record<Section, boolean>> = { desktop: inShell, accounts: isOwner && !inShell }
  return all.filter(section => shown[section] ?? true)
}

/** The section in an address; the first one by default. */
export const sectionOf = (word: string | undefined): Section =>
  sections().find(section => section === word) ?? 'general'
