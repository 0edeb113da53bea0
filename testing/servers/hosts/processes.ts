import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { HostSettings } from './host.ts'

/** A host that can be killed and restarted with its data folder. */
export class HostProcess {
  readonly #settings: HostSettings
  readonly #onChange: () => void
  #child: ChildProcess | undefined
  /** Its address; undefined while it does not answer. */
  url: string | undefined
  /** An API key of the owner, from its latest start. */
  apiKey = ''
  /** Signals or exit codes of unexpected exits after it had begun to answer. */
  readonly crashes: string[] = []

  /** @param onChange called whenever its address changes */
  constructor(settings: HostSettings, onChange: () => void = () => {}) {
    this.#settings = settings
    this.#onChange = onChange
  }

  /** Resolves once it answers or has ended, since the database may be unreachable when it starts. */
  async start(): Promise<void> {
    const script = join(import.meta.dirname, 'host.ts')
    const child = spawn(process.execPath, [script, JSON.stringify(this.#settings)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.#child = child
    child.once('exit', (code, signal) => {
      if (!this.isUp) return
      this.crashes.push(signal ?? `code ${code}`)
      this.#is(undefined)
    })
    const answers = new Promise<void>(resolve =>
      child.stdout?.once('data', data => {
        const { url, apiKey } = JSON.parse(String(data)) as { url: string; apiKey: string }
        this.apiKey = apiKey
        this.#is(url)
        resolve()
      }),
    )
    await Promise.race([answers, once(child, 'exit')])
  }

  #is(url: string | undefined): void {
    this.url = url
    this.#onChange()
  }

  get isUp(): boolean {
    return this.url !== undefined
  }

  /** Suspends the process, as a paused machine, or lets it go on. */
  suspend(isSuspended: boolean): void {
    this.#child?.kill(isSuspended ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Ends the process and resolves once it has exited. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#is(undefined)
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
}
