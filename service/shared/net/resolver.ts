import { type LookupAddress, promises } from 'node:dns'

/** The addresses of a host name; rejects if it has none or nobody answers in time. */
export type Resolver = (host: string) => Promise<LookupAddress[]>

interface ResolverParts {
  /** Servers to ask, as `address:port`, instead of the machine's. */
  servers?: readonly string[]
  /** How the machine itself resolves names. */
  system?: Resolver
  /** How long the servers may take together, which leaves the rest of a request's time for the machine and the connection. */
  timeoutMs?: number
}

/** How long a server may take for its answer before it or the next one is asked again. */
const TRY_MS = 2000
const TRIES = 2
const TIMEOUT_MS = 5000

/**
 * Looks up names over the network by itself. The machine's own resolver takes one of the two threads that Node has for it
 * until it answers, which also the connections to a database wait for, so a few names whose servers never answer would hold
 * up everybody's. It is asked for what the name servers don't know, such as a line in `/etc/hosts`, but for one name at a time; others
 * wait for their turn, as long as name servers may take.
 */
export function nameResolver({
  servers,
  system = systemResolver,
  timeoutMs = TIMEOUT_MS,
}: ResolverParts = {}): Resolver {
  let turn = Promise.resolve()
  const asked = new Map<string, Promise<LookupAddress[]>>()
  /** @param unknown the answer of the name servers, which is kept if the turn of this name does not come in time */
  const askSystem = (host: string, unknown: unknown) => {
    const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>()
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      reject(unknown)
    }, timeoutMs)
    turn = turn.then(async () => {
      clearTimeout(late)
      if (!isLate) await system(host).then(resolve, reject)
    })
    return promise.finally(() => asked.delete(host))
  }
  return async host => {
    try {
      return await askServers(host, servers, timeoutMs)
    } catch (error) {
      const asking = asked.get(host) ?? askSystem(host, error)
      asked.set(host, asking)
      return await asking
    }
  }
}

const systemResolver: Resolver = host => promises.lookup(host, { all: true })

/** Asks the name servers for a name as it is, with sockets of its own. */
async function askServers(
  host: string,
  servers: readonly string[] | undefined,
  timeoutMs: number,
): Promise<LookupAddress[]> {
  // Every look-up reads the machine's settings again, since a laptop changes its network.
  const resolver = new promises.Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  using _end = setTimeout(() => resolver.cancel(), timeoutMs)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

const addressesOf = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map(address => ({ address, family })) : []
