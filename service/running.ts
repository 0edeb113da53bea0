import { rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** A service that stands still answers nobody. */
const ANSWER_TIMEOUT_MS = 5_000

interface Announcement {
  url: string
  pid: number
}

const serviceFile = (home: string) => join(home, 'service.json')
const controlSocket = (home: string) => join(home, 'open.sock')

/**
 * Tells programs of the same user where the service answers: in a file, and over a control socket that hands out links
 * which open the app. The socket is in the data folder, which only the owner can enter, so that no secret needs to be
 * stored. Windows has no such sockets; there the desktop shell finds its running instance by itself.
 * @returns takes both back
 */
export async function announce(
  home: string,
  service: Announcement,
  openUrl: () => Promise<string>,
): Promise<() => Promise<void>> {
  await writeFile(serviceFile(home), `${JSON.stringify(service)}\n`, { mode: 0o600 })
  const server =
    process.platform === 'win32' ? undefined : await listenForOpen(controlSocket(home), service, openUrl)
  return async () => {
    server?.close()
    await Promise.all([rm(serviceFile(home), { force: true }), rm(controlSocket(home), { force: true })])
  }
}

async function listenForOpen(
  path: string,
  service: Announcement,
  openUrl: () => Promise<string>,
): Promise<Server | undefined> {
  // Left by a service that was killed; its lock on the database is gone, so that nobody listens here.
  await rm(path, { force: true })
  const server = createServer(connection => {
    connection.on('error', () => {})
    openUrl().then(
      pageUrl => connection.end(JSON.stringify({ ...service, pageUrl })),
      () => connection.destroy(),
    )
  })
  return new Promise(resolve => {
    // A path that is too long for a socket costs this convenience and nothing else.
    server.once('error', () => resolve(undefined))
    server.listen(path, () => resolve(server))
  })
}

/** What a service that runs with this data folder says of itself, with a link to open it; undefined when none answers. */
export async function askRunning(
  home: string,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<(Announcement & { pageUrl: string }) | undefined> {
  try {
    const connection = connect(controlSocket(home))
    connection.setTimeout(timeoutMs, () => connection.destroy(new Error('It does not answer.')))
    return JSON.parse(await text(connection))
  } catch {
    return undefined
  }
}
