import { rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

interface Announcement {
  url: string
  pid: number
}

const noteIn = (home: string) => join(home, 'service.json')
const doorIn = (home: string) => join(home, 'open.sock')

/**
 * Tells programs of the same user where the service answers: in a note, and at a door that hands out links which
 * open the app. The door is a socket in the data folder, which only the owner can enter, so that no secret needs to
 * be stored. Windows has no such sockets; there the desktop shell finds its running instance by itself.
 */
export async function announce(
  home: string,
  service: Announcement,
  openUrl: () => string,
): Promise<() => Promise<void>> {
  await writeFile(noteIn(home), `${JSON.stringify(service)}\n`, { mode: 0o600 })
  const door = process.platform === 'win32' ? undefined : await openDoor(doorIn(home), service, openUrl)
  return async () => {
    door?.close()
    await Promise.all([rm(noteIn(home), { force: true }), rm(doorIn(home), { force: true })])
  }
}

async function openDoor(
  path: string,
  service: Announcement,
  openUrl: () => string,
): Promise<Server | undefined> {
  // Left by a service that was killed; its lock on the database is gone, so that nobody listens here.
  await rm(path, { force: true })
  const door = createServer(visitor => {
    visitor.on('error', () => {})
    visitor.end(JSON.stringify({ ...service, pageUrl: openUrl() }))
  })
  return new Promise(resolve => {
    // A path that is too long for a socket costs this convenience and nothing else.
    door.once('error', () => resolve(undefined))
    door.listen(path, () => resolve(door))
  })
}

/** What a service that runs with this data folder says of itself, with a link to open it; undefined when none answers. */
export async function askRunning(home: string): Promise<(Announcement & { pageUrl: string }) | undefined> {
  try {
    return JSON.parse(await text(connect(doorIn(home))))
  } catch {
    return undefined
  }
}
