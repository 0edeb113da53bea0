import { rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** A suspended service answers nobody. */
const ANSWER_TIMEOUT_MS = 5_000

interface Announcement {
  url: string
  pid: number
}

const serviceFile = (home: string) => join(home, 'service.json')
const controlSocket = (home: string) => join(home, 'open.sock')

/**
 * Announces to programs of the same user where the service answers: in a file, and over a control socket that returns
 * links for opening the app. The socket is in the data folder, which only the owner can access, so no secret has to be
 * stored. Windows has no such sockets; there the desktop shell finds its running instance itself.
 * @returns removes both
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
  // Left by a service that was killed; since its lock on the database is gone, nobody listens here.
  await rm(path, { force: true })
  const server = createServer(connection => {
    connection.on('error', () => {})
    openUrl().then(
      pageUrl => connection.end(JSON.stringify({ ...service, pageUrl })),
      () => connection.destroy(),
    )
  })
  return new Promise(resolve => {
    // If the path is too long for a socket, only this convenience is lost.
    server.once('error', () => resolve(undefined))
    server.listen(path, () => resolve(server))
  })
}

/** The address of a service running with this data folder, and a link to open it; undefined if none answers. */
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
