import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServiceClient } from './client.ts'
import { type OpenedFile, ShellProblem } from './ipc.ts'

/**
 * The files named on a command line, as "Open with" passes them: paths or file URLs, switches left out.
 * @param words the command line without the program itself
 * @param folder what relative paths start from
 */
export function filesOf(words: readonly string[], folder: string): string[] {
  return words
    .filter(word => !word.startsWith('-'))
    .flatMap(word => {
      try {
        const path = word.startsWith('file:') ? fileURLToPath(word) : resolve(folder, word)
        return statSync(path).isFile() ? [path] : []
      } catch {
        return []
      }
    })
}

/** Files the system asked the app to open, on their way to the page. */
export class OpenedFiles {
  #waiting: string[] = []
  #ready: OpenedFile[] = []
  #client: ServiceClient | undefined
  #announce: () => void = () => {}

  /** Starts taking files in, those from before included. `announce` is called whenever some are ready. */
  connect(client: ServiceClient, announce: () => void): void {
    this.#client = client
    this.#announce = announce
    this.add(this.#waiting.splice(0))
  }

  add(paths: readonly string[]): void {
    if (this.#client) void this.#stage(this.#client, paths)
    else this.#waiting.push(...paths)
  }

  /** The files ready for the page; each is handed out once. */
  take(): OpenedFile[] {
    return this.#ready.splice(0)
  }

  async #stage(client: ServiceClient, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const name = basename(path)
      try {
        this.#ready.push({ name, file: await client.stage(path), problem: null })
      } catch (error) {
        const problem = error instanceof ShellProblem ? error.message : 'The file could not be read.'
        this.#ready.push({ name, file: null, problem })
      }
      this.#announce()
    }
  }
}
