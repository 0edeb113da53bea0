import type { Page } from 'playwright/test'
import type { ShellSettings } from '../../electron/ipc.ts'

const DEFAULTS: ShellSettings = {
  keepRunning: false,
  startAtLogin: null,
  fileManager: false,
  keepUpdated: true,
  update: { kind: 'ready', version: '9.1' },
}

/** Puts the desktop shell's settings, as its preload script offers them, into every page that is loaded from now on. */
export const fakeSettings = (page: Page, given: Partial<ShellSettings> = {}): Promise<unknown> =>
  page.addInitScript(
    settings => {
      const asked: string[] = []
      const refile = {
        settings: async () => ({ ...settings }),
        changeSettings: async (change: object) => {
          asked.push(JSON.stringify(change))
          return { ...Object.assign(settings, change) }
        },
        accentColor: async () => '#0078d4',
        installUpdate: async () => void asked.push('install'),
      }
      Object.assign(globalThis, { asked, refile })
    },
    { ...DEFAULTS, ...given },
  )

/** What a page has asked the shell for. */
export const askedOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)

/**
 * Puts what the desktop shell does with files into every page that is loaded from now on: it knows where those of a folder lie,
 * and notes which results it is asked to show.
 * @param chosen the folder that a person chooses whenever one is asked for
 */
export const fakeFiles = (page: Page, folder: string, chosen: string): Promise<unknown> =>
  page.addInitScript(
    ({ folder, chosen }) => {
      const asked: string[] = []
      const refile = {
        platform: 'linux',
        pathForFile: (file: File) => `${folder}/${file.name}`,
        chooseFolder: async () => chosen,
        openOutput: async () => {},
        reveal: async (path: string) => void asked.push(path),
        notify: async () => {},
        onOpened: () => () => {},
      }
      Object.assign(globalThis, { asked, refile })
    },
    { folder, chosen },
  )
