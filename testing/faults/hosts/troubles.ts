import { setTimeout as delay } from 'node:timers/promises'
import type { Loss, Network } from '../../network.ts'
import { open, readAll } from '../../servers/hosts/fence.ts'
import type { HostProcess } from '../../servers/hosts/processes.ts'
import type { PostgresServer } from '../../servers/postgres.ts'
import type { Fault, S3Server } from '../../servers/s3.ts'
import type { Load } from './load.ts'

/** Minimum number of kills. */
const KILLS = 60
/** Maximum time between two kills. */
const PAUSE_MS = 900
const HOST_SHARE = 0.2
/** Maximum number of hosts that are down at the same time. */
const MAX_HOSTS_DOWN = 2
/** If a host comes back later than this, other hosts have taken over its jobs. */
const LONG_GONE_MS = 3_000
/** How long the storage fails. */
const OUTAGE_MS = 2_000
const FAILING_REQUESTS = 0.3

/** How long a host is suspended or cut off: longer than its leases. */
const ABSENCE_MS = 5_000
/** How long a host hears nothing of others: longer than two of its heartbeats. */
const DEAF_MS = 22_000

/** Troubles other than kills: with the database, with the storage, with one of the hosts, or with its network. */
type Trouble = 'database' | Fault | 'suspended' | Loss

/** The share of accepted jobs at which each trouble begins. */
const PLAN: readonly (readonly [number, Trouble])[] = [
  [0.05, 'notifications'],
  [0.1, 'suspended'],
  [0.15, 500],
  [0.2, 'everything'],
  [0.3, 'database'],
  [0.35, 'answers'],
  [0.45, 'silence'],
  [0.5, 'suspended'],
  [0.6, 'database'],
  [0.65, 'everything'],
  [0.7, 'suspended'],
  [0.75, 500],
  [0.8, 'answers'],
  [0.85, 'silence'],
]

export interface TroubleSettings {
  hosts: readonly HostProcess[]
  /** What is between each host and the database. */
  networks: readonly Network[]
  postgres: PostgresServer
  storage: S3Server
  load: Load
  /** Folder of the fencing log, which shows the running workers. */
  fence: string
  random: () => number
}

/** Kills hosts and workers at random moments, suspends hosts and cuts them off, and makes the database and the storage fail. */
export class Troubles {
  readonly #settings: TroubleSettings
  readonly killedWorkers = new Set<number>()
  readonly counts = { kills: 0, hostKills: 0, databaseRestarts: 0, storageFaults: 0, absences: 0 }
  /** What happened, and when, in milliseconds since 1970. */
  readonly log: { what: string; at: number }[] = []
  readonly #pending: Promise<unknown>[] = []

  constructor(settings: TroubleSettings) {
    this.#settings = settings
  }

  /** Resolves after enough kills and once all jobs are accepted; every host is up again then. */
  async run(): Promise<void> {
    const { load, random } = this.#settings
    const plan = [...PLAN]
    while (this.counts.kills < KILLS || load.done < 1 || plan.length > 0) {
      await delay(random() * PAUSE_MS)
      const [next] = plan
      if (next && load.done >= next[0]) {
        plan.shift()
        this.#pending.push(this.#trouble(next[1]))
      }
      if (this.counts.kills < KILLS) this.#kill()
    }
    load.stop()
    await Promise.all(this.#pending)
  }

  #kill(): void {
    const { random } = this.#settings
    if (random() < HOST_SHARE) this.#killHost()
    else this.#killWorker()
  }

  #killHost(): void {
    const { hosts, random } = this.#settings
    const up = hosts.filter(({ isUp }) => isUp)
    const host = up[Math.floor(random() * up.length)]
    if (!host || hosts.length - up.length >= MAX_HOSTS_DOWN) return
    const pause = random() < 0.5 ? 0 : LONG_GONE_MS
    this.counts.kills++
    this.counts.hostKills++
    this.#pending.push(this.#restart(host, pause))
  }

  async #restart(host: HostProcess, pauseMs: number): Promise<void> {
    const name = `host ${this.#settings.hosts.indexOf(host)}`
    this.#note(`${name} is killed`)
    await host.end('SIGKILL')
    await delay(pauseMs)
    // A host that cannot reach the database or the storage ends with the reason, and is started again.
    while (!host.isUp) await host.start()
    this.#note(`${name} is back`)
  }

  #note(what: string): void {
    this.log.push({ what, at: Date.now() })
  }

  #killWorker(): void {
    const { fence, random } = this.#settings
    const working = [...readAll(fence).values()].flatMap(open)
    const victim = working[Math.floor(random() * working.length)]
    if (!victim) return
    this.counts.kills++
    this.killedWorkers.add(victim.pid)
    try {
      process.kill(victim.pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }

  async #trouble(what: Trouble): Promise<void> {
    const victim = Math.floor(this.#settings.random() * this.#settings.hosts.length)
    this.#note(`${what}, or of host ${victim}`)
    await this.#make(what, victim)
    this.#note(`${what} is over`)
  }

  async #make(what: Trouble, victim: number): Promise<void> {
    const { postgres, storage, random, hosts, networks } = this.#settings
    if (what === 'suspended') {
      this.counts.absences++
      hosts[victim]?.suspend(true)
      await delay(ABSENCE_MS)
      hosts[victim]?.suspend(false)
      return
    }
    if (what === 'everything' || what === 'answers' || what === 'notifications') {
      this.counts.absences++
      networks[victim]?.lose(what)
      await delay(what === 'notifications' ? DEAF_MS : ABSENCE_MS)
      networks[victim]?.heal()
      return
    }
    if (what === 'database') {
      this.counts.databaseRestarts++
      await postgres.restart()
      return
    }
    storage.failing(() => {
      if (random() >= FAILING_REQUESTS) return undefined
      this.counts.storageFaults++
      return what
    })
    await delay(OUTAGE_MS)
    storage.failing(() => undefined)
  }
}
