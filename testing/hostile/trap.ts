/** Servers that nobody may contact and files that nobody may read, recording who did. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bait, baitSuffixes, canary } from './attack.ts'

export interface Trap {
  /** A separate bait for one attack. */
  bait(): Promise<Bait>
  /** What happened to a bait, in words; empty if nobody touched it. */
  touched(bait: Bait): Promise<string[]>
  /** A word that must not appear in any output. */
  readonly secret: string
  close(): Promise<void>
}

/** An access time before the last change, so that Linux records the next read even with relatime. */
const LONG_AGO = new Date('2001-01-01T00:00:00Z')
/** An old modification time, distinguishable from one made by an attack. */
const WRITTEN = new Date('2002-01-01T00:00:00Z')

/** Sets traps on this machine and in a folder. */
export async function setTrap(folder: string): Promise<Trap> {
  const secret = randomBytes(24).toString('hex')
  const asked: string[] = []
  const note = (bytes: Buffer, how: string) => asked.push(`${how}: ${bytes.toString('latin1', 0, 200)}`)
  const server = createServer(socket => {
    socket.on('error', () => {})
    const timer = setTimeout(() => note(Buffer.from('without a word'), 'connected'), 1000).unref()
    socket.once('data', bytes => {
      clearTimeout(timer)
      note(bytes, 'asked')
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${secret.length}\r\nConnection: close\r\n\r\n${secret}`)
    })
  })
  const datagrams = createSocket('udp4')
  datagrams.on('message', bytes => note(bytes, 'received'))
  server.listen(0, '127.0.0.1')
  datagrams.bind(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(datagrams, 'listening')])
  const { port } = server.address() as AddressInfo
  const contents: Record<(typeof baitSuffixes)[number], string> = {
    txt: secret,
    png: secret,
    svg: `<svg xmlns="http://www.w3.org/2000/svg"><text id="x">${secret}</text></svg>`,
    css: `p::before { content: "${secret}" }`,
    ts: secret,
    docx: secret,
  }
  let count = 0
  return {
    secret,
    bait: async () => {
      // Alternately the IP address, and a name that has to be resolved.
      const authority = `${++count % 2 === 0 ? '127.0.0.1' : 'localhost'}:${port}`
      const bait = {
        url: `http://${authority}/${count}`,
        authority,
        udpPort: datagrams.address().port,
        folder: join(folder, `bait-${count}`),
      }
      await mkdir(bait.folder)
      for (const suffix of baitSuffixes) {
        await writeFile(canary(bait, suffix), contents[suffix])
        await utimes(canary(bait, suffix), LONG_AGO, WRITTEN)
      }
      return bait
    },
    touched: async bait => {
      const found = asked.splice(0)
      for (const suffix of baitSuffixes) {
        const path = canary(bait, suffix)
        const { atimeMs } = await stat(path).catch(() => ({ atimeMs: Number.NaN }))
        if (Number.isNaN(atimeMs)) found.push(`canary.${suffix} is gone`)
        else if (atimeMs !== LONG_AGO.getTime()) found.push(`canary.${suffix} was read`)
        if ((await readFile(path, 'utf8').catch(() => '')) !== contents[suffix])
          found.push(`canary.${suffix} was changed`)
      }
      await rm(bait.folder, { recursive: true, force: true })
      return found
    },
    close: async () => {
      // Requests still in flight count as well.
      await sleep(50)
      await Promise.all([
        new Promise(resolve => server.close(resolve)),
        new Promise<void>(resolve => datagrams.close(resolve)),
      ])
    },
  }
}
