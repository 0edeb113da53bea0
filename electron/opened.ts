import { basename } from 'node:path'
import type { StagedFile } from '../service/web/app/types.ts'
import type { ServiceClient } from './client.ts'
import { problemOf } from './convert-with.ts'
import type { OpenedFile } from './ipc.ts'

/** Files that the system asked the app to open, waiting for the page. */
export class OpenedFiles {
  #waiting: string[] = []
  #ready: OpenedFile[] = []
  #client: ServiceClient | undefined
  #announce: () => void = () => {}

  /** Starts receiving files, including earlier ones. `announce` is called whenever some are ready. */
  connect(client: ServiceClient, announce: () => void): void {
    this.#client = client
    this.#announce = announce
    this.add(this.#waiting.splice(0))
  }

  add(paths: readonly string[]): void {
    if (this.#client) void this.#stage(this.#client, paths)
    else this.#waiting.push(...paths)
  }

  /** Adds a file that has already been received, or could not be. */
  hand(path: string, file: StagedFile | null, problem: string | null): void {
    this.#ready.push({ name: basename(path), file, problem })
    this.#announce()
  }

  /** The files ready for the page; each is returned once. */
  take(): OpenedFile[] {
    return this.#ready.splice(0)
  }

  async #stage(client: ServiceClient, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      try {
        this.hand(path, await client.stage(path), null)
      } catch (error) {
        this.hand(path, null, problemOf(error))
      }
    }
  }
}
