import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { serviceProcess } from '../../service/sandbox/process-settings.ts'
import { printInfo } from '../root.mjs'

/** Time a host has to stop before it is killed; whoever runs the cluster kills the cluster after 4.7 seconds. */
const GRACE_MS = 3_500
/** Delay between the unexpected end of a host and its restart, as with a supervisor. */
const RESTART_MS = 1_000

/** What a host prints when it is ready. */
export interface HostLine {
  url: string
  pid: number
  apiKey?: string
  pageUrl?: string
}

export interface HostSettings {
  name: string
  /** Script of the service. */
  main: string
  /** Its command line arguments, and additional ones for its first start only. */
  args: readonly string[]
  firstArgs: readonly string[]
  environment: Record<string, string>
  /** Called whenever the host is ready, and with undefined when it has ended. */
  onChange: (line: HostLine | undefined) => void
}

/** A host of the cluster, which is restarted when it ends by itself. */
export class Host {
  readonly #settings: HostSettings
  readonly #stopping = new AbortController()
  readonly #ended: Promise<void>
  #child: ChildProcess | undefined

  /** Starts the host; `onChange` is called when it ends. */
  constructor(settings: HostSettings) {
    this.#settings = settings
    this.#ended = this.#run()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const { args, firstArgs } = this.#settings
    for (let more = firstArgs; !signal.aborted; more = []) {
      const how = await this.#life([...args, ...more])
      this.#settings.onChange(undefined)
      if (signal.aborted) return
      printInfo(`${this.#settings.name} ended (${how}) and is started again.`)
      await delay(RESTART_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #life(args: readonly string[]): Promise<string> {
    const { main, environment, onChange } = this.#settings
    const child = spawn(process.execPath, [...serviceProcess.nodeOptions, main, ...args], {
      // Ctrl-C is for the cluster, which stops its hosts in turn. If the cluster is killed, hosts stop because the channel
      // closes.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, ...serviceProcess.env, ...environment },
    })
    this.#child = child
    let printed = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const isNew = !printed.includes('\n')
      printed += text
      if (isNew && printed.includes('\n')) onChange(JSON.parse(printed))
    })
    return new Promise(resolve => {
      child.once('error', error => resolve(error.message))
      child.once('exit', (code, by) => resolve(by ?? `code ${code}`))
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#child?.kill('SIGINT')
    const killing = setTimeout(() => this.#child?.kill('SIGKILL'), GRACE_MS)
    await this.#ended
    clearTimeout(killing)
  }
}
