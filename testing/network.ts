import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What does not arrive any more: nothing either way; the answers of the database; or the notifications on the connection that
 * listens, as if a router had forgotten it, so that a new one works.
 */
export type Loss = 'everything' | 'answers' | 'notifications'

export interface Network extends AsyncDisposable {
  /** The database's address behind it. */
  url: string
  /** From now on something does not arrive, without an error. */
  lose(what: Loss): void
  /** What was held up arrives late, as after a partition. */
  heal(): void
  /** Ends all connections. */
  cut(): void
  /** From now on it leads to another server, as an address that moves in a failover. */
  leadTo(url: string): void
}

interface Connection {
  client: Socket
  database: Socket
  isListening: boolean
}

/** Name of the socket in the folder of a server, which is the host in its address. */
const SOCKET = '.s.PGSQL.5432'

/** Starts a network between hosts and the database that a server of the tests has. */
export async function networkBefore(url: string): Promise<Network> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-network-'))
  const folderOf = (url: string) => decodeURIComponent(/@([^/]*)/.exec(url)?.[1] ?? '')
  let real = folderOf(url)
  const connections = new Set<Connection>()
  let lost: Loss | undefined
  const hold = ({ client, database, isListening }: Connection) => {
    if (lost === 'notifications' && !isListening) return
    database.unpipe(client).pause()
    if (lost === 'everything') client.pause()
  }
  const server = createServer(client => {
    const database = connect(join(real, SOCKET))
    const connection: Connection = { client, database, isListening: false }
    connections.add(connection)
    client.on('data', data => {
      connection.isListening ||= data.includes('LISTEN ')
      database.write(data)
    })
    database.pipe(client)
    for (const end of [client, database])
      end
        .on('error', () => {})
        .on('close', () => {
          connections.delete(connection)
          client.destroy()
          database.destroy()
        })
    if (lost === 'everything' || lost === 'answers') hold(connection)
  })
  await new Promise<void>(resolve => server.listen(join(folder, SOCKET), resolve))
  const cut = () => {
    for (const { client, database } of connections) {
      client.destroy()
      database.destroy()
    }
  }
  return {
    url: url.replace(/@[^/]*/, `@${encodeURIComponent(folder)}`),
    lose: what => {
      lost = what
      connections.forEach(hold)
    },
    heal: () => {
      lost = undefined
      for (const { client, database } of connections) {
        database.pipe(client)
        client.resume()
      }
    },
    cut,
    leadTo: other => {
      real = folderOf(other)
      cut()
    },
    [Symbol.asyncDispose]: async () => {
      cut()
      await new Promise(resolve => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
