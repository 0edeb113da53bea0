import { cpSync, createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import updaters, { type AppUpdater } from 'electron-updater'
import electronHttp from 'electron-updater/out/electronHttpExecutor.js'
import { hashOfFile } from '../../service/shared/file-hash.ts'
import { temporaryFolder } from '../temporary.ts'
import { feedsIn, readFeed } from './feed.ts'
import { out, step } from './step.ts'

/** Who updates an installation, by the suffix of what it was installed from. */
const classes = { deb: 'DebUpdater', AppImage: 'AppImageUpdater', exe: 'NsisUpdater' } as const
export type Kind = keyof typeof classes

/** The previous version, which has to take the update. */
export const PREVIOUS = '0.0.1'

/**
 * Lets electron-updater download an update from a feed on this machine, as an installed app of an older version would.
 * @param folder the feed and what it offers
 * @param previous the AppImage that is replaced, of which blocks are taken
 * @returns path of the verified download, which is removed with `cache`, and how many bytes of packages were sent for it
 * @throws Error of electron-updater, such as ERR_CHECKSUM_MISMATCH
 */
export async function downloadUpdate(
  folder: string,
  kind: Kind,
  cache: string,
  previous?: string,
): Promise<{ path: string; bytes: number }> {
  let bytes = 0
  const server = createServer((asked, response) => {
    const path = join(folder, basename(new URL(asked.url ?? '/', 'http://localhost').pathname))
    if (!existsSync(path)) return response.writeHead(404).end()
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(asked.headers.range ?? '') ?? []
    const { size } = statSync(path)
    const [from, to] = [Number(start ?? 0), Number(end ?? size - 1)]
    if (!path.endsWith('.yml')) bytes += to - from + 1
    response.writeHead(start ? 206 : 200, start ? { 'content-range': `bytes ${from}-${to}/${size}` } : {})
    createReadStream(path, { start: from, end: to }).pipe(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const config = join(cache, 'app-update.yml')
    writeFileSync(
      config,
      JSON.stringify({
        provider: 'generic',
        url,
        updaterCacheDirName: 'refile',
        useMultipleRangeRequest: false,
      }),
    )
    const app = {
      version: PREVIOUS,
      name: 'refile',
      isPackaged: true,
      appUpdateConfigPath: config,
      userDataPath: cache,
      baseCachePath: cache,
      whenReady: async () => {},
      relaunch() {},
      quit() {},
      onQuit() {},
    }
    // An AppImage replaces itself.
    if (kind === 'AppImage') process.env.APPIMAGE = previous ?? join(cache, 'old.AppImage')
    const updater: AppUpdater = new updaters[classes[kind]](null, app)
    const httpExecutor = new electronHttp.ElectronHttpExecutor()
    // Instead of Electron's network, which is not here.
    Object.assign(httpExecutor, { createRequest: request })
    Object.assign(updater, { httpExecutor })
    updater.logger = null
    updater.autoDownload = false
    updater.autoInstallOnAppQuit = false
    updater.disableDifferentialDownload = !previous
    updater.on('error', () => {})
    const found = await updater.checkForUpdates()
    if (!found?.isUpdateAvailable) throw new Error(`The feed in ${folder} offers no update to ${PREVIOUS}.`)
    const [path] = await updater.downloadUpdate()
    if (path === undefined) throw new Error('Nothing was downloaded.')
    return { path, bytes }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/**
 * Updates from the feeds of a folder by electron-updater's own code, whole and with one changed byte.
 * @returns the installers that were tried
 * @throws Error if an update is not taken, or a changed one is
 */
export async function tryUpdates(folder: string): Promise<Kind[]> {
  const offered = feedsIn(folder).flatMap(name => readFeed(join(folder, name)).files.map(({ url }) => url))
  const tried = (Object.keys(classes) as Kind[]).filter(kind => offered.some(url => url.endsWith(`.${kind}`)))
  for (const kind of tried) {
    using temporary = temporaryFolder('update')
    const { path } = await downloadUpdate(folder, kind, temporary.path)
    const source = offered.find(url => url.endsWith(`.${kind}`) && basename(path) === basename(url))
    if (!source) throw new Error(`${basename(path)} is not what the feed offers.`)
    if ((await hashOfFile(path)) !== (await hashOfFile(join(folder, source))))
      throw new Error(`${source} was changed on its way.`)
    await refuseChanged(folder, source, kind)
  }
  return tried
}

async function refuseChanged(folder: string, name: string, kind: Kind): Promise<void> {
  using changed = temporaryFolder('changed')
  for (const feed of feedsIn(folder)) cpSync(join(folder, feed), join(changed.path, feed))
  const bytes = readFileSync(join(folder, name))
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(join(changed.path, name), bytes)
  const outcome = await downloadUpdate(changed.path, kind, changed.path).catch(
    (error: { code?: string }) => error,
  )
  if ('path' in outcome) throw new Error(`A changed ${name} was taken as an update.`)
  if (outcome.code !== 'ERR_CHECKSUM_MISMATCH') throw outcome
}

if (import.meta.main)
  await step(async () => {
    // Squirrel.Mac runs in Electron only, and takes signed builds only.
    if (process.platform === 'darwin') return 'On macOS only an installed and signed app can update itself.'
    const tried = await tryUpdates(out)
    if (tried.length === 0) throw new Error(`No feed in ${out} offers an update.`)
    return `Updated as ${tried.join(', ')}; changed files were refused.`
  })
