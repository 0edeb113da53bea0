// First, before the rest is loaded.
import './early.ts'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { app, dialog, ipcMain, session, shell } from 'electron'
import type { Logger } from 'pino'
import packageFile from '../package.json' with { type: 'json' }
import { startService } from '../service/host/host.ts'
import { logUncaught } from '../service/host/log.ts'
import { loadConfig } from '../service/shared/config.ts'
import { makeFolderSync } from '../service/shared/make-folder.ts'
import { message } from '../service/shared/messages/message.ts'
import { ServiceClient } from './client.ts'
import { type Request, readCommandLine } from './command-line.ts'
import { takeRequests } from './early.ts'
import { SCHEME } from './links.ts'
import { createFileLog } from './log.ts'
import { setMenu } from './menu.ts'
import { isInstalled, preload, rendererFolder, resourcesFolder, workerEntry } from './paths.ts'
import { readPreferences, writePreferences } from './preferences.ts'
import { withStartNotice } from './problem-dialogs.ts'
import { secure } from './security.ts'
import { Shell } from './shell.ts'
import { spawnUtility } from './spawn.ts'
import { setLanguage, systemLanguage, translate } from './words.ts'

/** How long what the page sends while it closes, such as removals and edits, may take to reach the service. */
const LAST_REQUESTS_MS = 300
/** How long the service may take to stop before the app exits anyway. */
const CLOSE_TIMEOUT_MS = 4_000

/**
 * Takes the lock that makes this the only instance, after moving the browser's own files into the service's folder: one
 * setting decides where everything is, and each such folder has one instance.
 * @returns the folder for the shell's files, or null if another instance runs, which has been notified
 */
function claimProfile(): string | null {
  const profile = join(loadConfig().home, 'window')
  makeFolderSync(profile, 0o700)
  app.setPath('userData', profile)
  return app.requestSingleInstanceLock() ? profile : null
}

async function run(): Promise<void> {
  const profile = claimProfile()
  if (profile === null) return app.exit(0)
  const log = createFileLog(join(profile, 'refile.log'))
  let isRunning = false
  const stopping = new AbortController()
  /** Stops the service, also one that is still starting. */
  let close = async () => {}
  const stop = quitCleanly(async () => {
    stopping.abort()
    if (isRunning) await setTimeout(LAST_REQUESTS_MS)
    await close()
  }, log)
  // A started app keeps its window and its jobs: what failed is in the log, and most of the app works without it.
  logUncaught(log, error => isRunning || stopping.signal.aborted || notStarted(error))
  const preferencesPath = join(profile, 'window.json')
  const preferences = readPreferences(preferencesPath)
  const ui = new Shell({
    preferences,
    savePreferences: () => writePreferences(preferencesPath, preferences),
    preload,
    onError: error => log.error({ err: error }, 'the shell failed'),
    stop,
    onLanguage: () => drawMenu(),
  })

  const drawMenu = () =>
    setMenu({
      openFiles: () => void pickFiles().then(files => ui.ask({ ...nothing, files })),
      openWebsite: () => void shell.openExternal(packageFile.homepage),
      keepRunning: preferences.keepRunning,
      setKeepRunning: keepRunning => ui.change({ keepRunning }),
      developer: !app.isPackaged,
    })

  // From here on events may come at any time, some before the app is ready.
  app.on('second-instance', (_event, words, folder) => ui.ask(readCommandLine(ownWords(words), folder)))
  takeRequests(request => ui.ask(request))
  app.on('activate', () => ui.focus())
  app.on('before-quit', () => ui.quit())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  const asked = readCommandLine(ownWords(process.argv), process.cwd())

  await app.whenReady()
  await setLanguage(preferences.language ?? systemLanguage())
  app.setAppUserModelId('io.github.refile')
  if (isInstalled()) app.setAsDefaultProtocolClient(SCHEME)
  const starting = startService({
    isApp: true,
    recycle: path => shell.trashItem(path),
    spawn: spawnUtility,
    workerEntry,
    rendererFolder,
    resourcesFolder,
    log,
  })
  // A start that failed has undone itself.
  const started = starting.catch(() => null)
  close = async () => (await started)?.close()
  const service = await withStartNotice(starting).catch(error => {
    if (!stopping.signal.aborted) throw error
    log.error({ err: error }, 'the service failed to start while the app was quitting')
  })
  if (!service || stopping.signal.aborted) return
  const { origin } = new URL(service.url)
  secure(app, session.defaultSession, shell, origin)
  ui.start(new ServiceClient(service), ipcMain, origin, stopping.signal)
  drawMenu()
  ui.ask(asked)
  isRunning = true
}

const nothing: Request = { files: [], target: null, page: null, hidden: false }

/** A command line without the program, and without the app's folder if it is included. */
const ownWords = (words: string[]): string[] => words.slice(app.isPackaged ? 1 : 2)

async function pickFiles(): Promise<string[]> {
  const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile', 'multiSelections'] })
  return filePaths
}

/**
 * Lets `close` finish before the app exits, within the time that a person can be kept waiting.
 * @returns a function that does the same without exiting
 */
function quitCleanly(close: () => Promise<void>, log: Logger): () => Promise<void> {
  let code = 0
  let closing: Promise<void> | undefined
  const stop = () => {
    closing ??= Promise.race([close(), setTimeout(CLOSE_TIMEOUT_MS)]).catch(error => {
      log.error({ err: error }, 'stopping failed')
      code = 1
    })
    return closing
  }
  app.on('will-quit', event => {
    event.preventDefault()
    void stop().then(() => app.exit(code))
  })
  return stop
}

function notStarted(error: unknown): void {
  dialog.showErrorBox(
    translate(message('shell.no_start')),
    error instanceof Error ? error.message : String(error),
  )
  app.exit(1)
}

app.enableSandbox()
run().catch(notStarted)
