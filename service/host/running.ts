import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
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

/** Where the control socket is, if it is not the one in the data folder: a port of loopback, and the word that it asks for. */
interface Door {
  port: number
  token: string
}

/**
 * Announces to programs of the same user where the service answers: in a file, and over a control socket that returns links for
 * opening the app. The socket is in the data folder, which only the owner can access, so no secret has to be stored. Windows has no
 * such sockets: there it is a port of loopback, which asks for a word that is in the file, new at every start.
 * @returns removes both
 */
export async function announce(
  home: string,
  service: Announcement,
  openUrl: () => Promise<string>,
  platform: NodeJS.Platform = process.platform,
): Promise<() => Promise<void>> {
  const answer = (connection: Socket) => {
    openUrl().then(
      pageUrl => connection.end(JSON.stringify({ ...service, pageUrl })),
      () => connection.destroy(),
    )
  }
  const { server, door } =
    platform === 'win32' ? await listenOnPort(answer) : await listenInFolder(controlSocket(home), answer)
  await writeFile(serviceFile(home), `${JSON.stringify({ ...service, ...(door && { door }) })}\n`, {
    mode: 0o600,
  })
  return async () => {
    server?.close()
    await Promise.all([rm(serviceFile(home), { force: true }), rm(controlSocket(home), { force: true })])
  }
}

interface Control {
  server: Server | undefined
  door?: Door
}

async function listenInFolder(path: string, answer: (connection: Socket) => void): Promise<Control> {
  // Left by a service that was killed; since its lock on the database is gone, nobody listens here.
  await rm(path, { force: true })
  const server = createServer(connection => {
    connection.on('error', () => {})
    answer(connection)
  })
  return new Promise(resolve => {
    // If the path is too long for a socket, only this convenience is lost.
    server.once('error', () => resolve({ server: undefined }))
    server.listen(path, () => resolve({ server }))
  })
}

async function listenOnPort(answer: (connection: Socket) => void): Promise<Control> {
  const token = randomBytes(32).toString('hex')
  const server = createServer(connection => {
    connection.on('error', () => {})
    connection.setTimeout(ANSWER_TIMEOUT_MS, () => connection.destroy())
    connection.once('data', sent => {
      const isRight = sent.length === token.length && timingSafeEqual(sent, Buffer.from(token))
      if (isRight) answer(connection)
      else connection.destroy()
    })
  })
  return new Promise(resolve => {
    server.once('error', () => resolve({ server: undefined }))
    server.listen(0, '127.0.0.1', () => {
      resolve({ server, door: { port: (server.address() as AddressInfo).port, token } })
    })
  })
}

/** Whether the service of this data folder is still this one. */
export async function isAnnounced(home: string, { url, pid }: Announcement): Promise<boolean> {
  try {
    const announced = JSON.parse(await readFile(serviceFile(home), 'utf8')) as Announcement
    // A killed service leaves its announcement behind.
    return announced.url === url && announced.pid === pid && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The address of a service running with this data folder, and a link to open it; undefined if none answers. */
export async function askRunning(
  home: string,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<(Announcement & { pageUrl: string }) | undefined> {
  try {
    const { door } = JSON.parse(await readFile(serviceFile(home), 'utf8')) as { door?: Door }
    const connection = door ? connect(door.port, '127.0.0.1') : connect(controlSocket(home))
    connection.setTimeout(timeoutMs, () => connection.destroy(new Error('It does not answer.')))
    if (door) connection.write(door.token)
    return JSON.parse(await text(connection))
  } catch {
    return undefined
  }
}
