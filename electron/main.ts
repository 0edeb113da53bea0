import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { app, type BrowserWindow, dialog, ipcMain, session, shell, type Tray } from 'electron'
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
import { openWindow } from './window.ts'

/** Milliseconds the service gets to finish before the app ends regardless. */
const PATIENCE = 4_500

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
  const preferencesPath = join(profile, 'window.json')
  const preferences = readPreferences(preferencesPath)
  const opened = new OpenedFiles()
  let window: BrowserWindow | undefined
  let tray: Tray | undefined
  let quitting = false
  let show = () => {}

  // From here on events may come at any time, some before the app is ready.
  app.on('second-instance', (_event, words, folder) => {
    show()
    opened.add(filesOf(words.slice(app.isPackaged ? 1 : 2), folder))
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    show()
    opened.add([path])
  })
  app.on('activate', () => show())
  app.on('before-quit', () => {
    quitting = true
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  opened.add(filesOf(process.argv.slice(app.isPackaged ? 1 : 2), process.cwd()))

  await app.whenReady()
  app.setAppUserModelId('io.github.refile')
  const log = createFileLog(join(profile, 'refile.log'))
  const service = await startService({
    spawn: spawnUtility,
    workerEntry,
    rendererFolder,
    resourcesFolder,
    log,
  })
  quitCleanly(() => service.close(), log)
  const { origin } = new URL(service.url)
  secure(app, session.defaultSession, shell, origin)

  show = () => {
    if (!window) {
      const created = openWindow({
        preload,
        icon: join(icons, 'linux', '256x256.png'),
        preferences,
        openUrl: () => service.openUrl(),
      })
      created.on('close', event => {
        writePreferences(preferencesPath, preferences)
        if (!preferences.keepRunning || quitting) return
        event.preventDefault()
        created.hide()
      })
      created.on('closed', () => {
        window = undefined
      })
      window = created
      return
    }
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }
  const setKeepRunning = (on: boolean) => {
    preferences.keepRunning = on
    writePreferences(preferencesPath, preferences)
    tray?.destroy()
    tray = on ? showTray(icons, { open: () => show(), quit: () => app.quit() }) : undefined
  }
  const pickFiles = async () => {
    const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile', 'multiSelections'] })
    opened.add(filePaths)
  }

  const client = new ServiceClient(service)
  serveChannels(
    ipcMain,
    origin,
    createHandlers(client, opened, () => show()),
    error => log.error({ err: error }, 'the shell failed'),
  )
  setMenu({
    openFiles: () => void pickFiles(),
    openWebsite: () => void shell.openExternal(packageFile.homepage),
    keepRunning: preferences.keepRunning,
    setKeepRunning,
    developer: !app.isPackaged,
  })
  setKeepRunning(preferences.keepRunning)
  show()
  opened.connect(client, () => window?.webContents.send(OPENED))
}

/** Lets `close` finish before the app ends, for as long as a person may be kept waiting. */
function quitCleanly(close: () => Promise<void>, log: Logger): void {
  let closing = false
  app.on('will-quit', event => {
    event.preventDefault()
    if (closing) return
    closing = true
    Promise.race([close(), setTimeout(PATIENCE)]).then(
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
