import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { app, dialog, ipcMain, session, shell, type Tray } from 'electron'
import type { Logger } from 'pino'
import packageFile from '../package.json' with { type: 'json' }
import { loadConfig } from '../service/config.ts'
import { startService } from '../service/host.ts'
import { ServiceClient } from './client.ts'
import { createHandlers } from './handlers.ts'
import { OPENED, serveChannels } from './ipc.ts'
import { createFileLog } from './log.ts'
import { setMenu } from './menu.ts'
import { filesOf, OpenedFiles } from './opened.ts'
import { icons, preload, rendererFolder, resourcesFolder, workerEntry } from './paths.ts'
import { readPreferences, writePreferences } from './preferences.ts'
import { secure } from './security.ts'
import { spawnUtility } from './spawn.ts'
import { showTray } from './tray.ts'
import { MainWindow } from './window.ts'

/** How long the service may take to stop before the app ends regardless. */
const CLOSE_TIMEOUT_MS = 4_000

/**
 * Takes the lock that makes this the only instance, after moving the browser's own files into the service's folder:
 * one setting decides where everything is, and each such folder has one instance.
 * @returns the folder for the shell's files, or null when another instance runs, which has been told
 */
function claimProfile(): string | null {
  const profile = join(loadConfig().home, 'window')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)
  return app.requestSingleInstanceLock() ? profile : null
}

async function run(): Promise<void> {
  const profile = claimProfile()
  if (profile === null) return app.exit(0)
  const opened = new OpenedFiles()
  const log = createFileLog(join(profile, 'refile.log'))
  let window: MainWindow | undefined
  let quitting = false

  // From here on events may come at any time, some before the app is ready.
  app.on('second-instance', (_event, words, folder) => {
    window?.show()
    opened.add(filesOf(ownWords(words), folder))
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    window?.show()
    opened.add([path])
  })
  app.on('activate', () => window?.show())
  app.on('before-quit', () => {
    quitting = true
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  opened.add(filesOf(ownWords(process.argv), process.cwd()))

  await app.whenReady()
  app.setAppUserModelId('io.github.refile')
  const service = await startService({
    isApp: true,
    spawn: spawnUtility,
    workerEntry,
    rendererFolder,
    resourcesFolder,
    log,
  })
  quitCleanly(() => service.close(), log)
  const { origin } = new URL(service.url)
  secure(app, session.defaultSession, shell, origin)

  const preferencesPath = join(profile, 'window.json')
  const preferences = readPreferences(preferencesPath)
  const main = new MainWindow({
    preload,
    icon: join(icons, 'linux', '256x256.png'),
    preferences,
    openUrl: () => service.openUrl(),
    onClose: () => {
      writePreferences(preferencesPath, preferences)
      return preferences.keepRunning && !quitting
    },
  })
  window = main
  const focus = () => main.show()

  const client = new ServiceClient(service)
  serveChannels(ipcMain, origin, createHandlers(client, opened, focus), error =>
    log.error({ err: error }, 'the shell failed'),
  )
  let tray: Tray | undefined
  const setKeepRunning = (on: boolean) => {
    preferences.keepRunning = on
    writePreferences(preferencesPath, preferences)
    tray?.destroy()
    tray = on ? showTray(icons, { open: focus, quit: () => app.quit() }) : undefined
  }
  setKeepRunning(preferences.keepRunning)
  setMenu({
    openFiles: () => void pickFiles().then(paths => opened.add(paths)),
    openWebsite: () => void shell.openExternal(packageFile.homepage),
    keepRunning: preferences.keepRunning,
    setKeepRunning,
    developer: !app.isPackaged,
  })
  main.show()
  opened.connect(client, () => main.send(OPENED))
}

/** A command line without the program, and without the app's folder where that is named. */
const ownWords = (words: string[]): string[] => words.slice(app.isPackaged ? 1 : 2)

async function pickFiles(): Promise<string[]> {
  const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile', 'multiSelections'] })
  return filePaths
}

/** Lets `close` finish before the app ends, for as long as a person may be kept waiting. */
function quitCleanly(close: () => Promise<void>, log: Logger): void {
  let closing = false
  app.on('will-quit', event => {
    event.preventDefault()
    if (closing) return
    closing = true
    Promise.race([close(), setTimeout(CLOSE_TIMEOUT_MS)]).then(
      () => app.exit(0),
      error => {
        log.error({ err: error }, 'stopping failed')
        app.exit(1)
      },
    )
  })
}

app.enableSandbox()
run().catch(error => {
  dialog.showErrorBox('Refile could not start', error instanceof Error ? error.message : String(error))
  app.exit(1)
})
