import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { HIDDEN_SWITCH } from './command-line.ts'
import { isInstalled } from './paths.ts'

/**
 * Where Linux desktops look for programs to start with the session:
 * https://specifications.freedesktop.org/autostart/latest/
 */
const autostartFile = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart', 'refile.desktop')

/** The program that has to be started: an AppImage is a different file from the program running inside it. */
export const programPath = (): string => process.env.APPIMAGE || process.execPath

/** Quotes an argument of Exec: https://specifications.freedesktop.org/desktop-entry/latest/exec-variables.html */
export const quoted = (word: string): string =>
  `"${word
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`

const autostartEntry = (): string => `[Desktop Entry]
Type=Application
Name=Refile
Exec=${quoted(programPath())} ${HIDDEN_SWITCH}
Icon=refile
X-GNOME-Autostart-enabled=true
`

/** Whether the app starts with the session. Null if that cannot be set, for example without an installation. */
export function startsAtLogin(): boolean | null {
  if (!isInstalled()) return null
  if (process.platform !== 'linux') return app.getLoginItemSettings({ args: [HIDDEN_SWITCH] }).openAtLogin
  try {
    return readFileSync(autostartFile(), 'utf8').includes(HIDDEN_SWITCH)
  } catch {
    return false
  }
}

/** Makes the app start with the session, without a window, or stops that. */
export function setStartsAtLogin(on: boolean): void {
  if (!isInstalled()) return
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: on, args: [HIDDEN_SWITCH] })
    return
  }
  const path = autostartFile()
  if (!on) {
    rmSync(path, { force: true })
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, autostartEntry())
}
