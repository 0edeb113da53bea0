import { removeTree } from '../../shared/remove-tree.ts'
import type { BlobStore } from './blobs.ts'
import { undefinedIfGone } from './errors.ts'
import { jobOf } from './keys.ts'

/**
 * Deletes what is no longer needed. A failed delete is remembered and retried, and blocks nothing else, neither a job's
 * end nor a request.
 */
export class Cleanup {
  readonly #blobs: BlobStore
  readonly #onError: (error: unknown, jobId?: string) => void
  readonly #left = new Map<string, () => Promise<void>>()
  #aside: string | undefined

  /** @param aside prefix to which blobs are moved instead of being deleted, until `deleteAgain` */
  constructor(blobs: BlobStore, onError: (error: unknown, jobId?: string) => void, aside?: string) {
    this.#blobs = blobs
    this.#onError = onError
    this.#aside = aside
  }

  /** Ends setting aside. */
  deleteAgain(): void {
    this.#aside = undefined
  }

  /** Deletes a blob, or all blobs under a prefix. Never throws. */
  blobs(prefix: string): Promise<void> {
    return this.#attempt(`blob ${prefix}`, () => this.#remove(prefix), jobOf(prefix))
  }

  /** Deletes all blobs directly under a prefix except one. Never throws. */
  blobsBut(kept: string, prefix: string): Promise<void> {
    const remove = async () => {
      const keys = (await this.#blobs.list(prefix)).map(name => `${prefix}/${name}`)
      for (const key of keys) if (key !== kept) await this.#remove(key)
    }
    return this.#attempt(`blobs ${prefix} but ${kept}`, remove, jobOf(prefix))
  }

  /** Deletes a folder of this machine with everything in it. Never throws. */
  folder(path: string, jobId?: string): Promise<void> {
    return this.#attempt(`folder ${path}`, () => removeTree(path), jobId)
  }

  /** Retries everything that could not be deleted. Never throws. */
  async retry(): Promise<void> {
    for (const [name, remove] of [...this.#left]) await this.#attempt(name, remove)
  }

  async #remove(prefix: string): Promise<void> {
    if (this.#aside !== undefined) {
      const names = await this.#blobs.list(prefix)
      const keys = names.length > 0 ? names.map(name => `${prefix}/${name}`) : [prefix]
      for (const key of keys) await this.#blobs.copy(key, `${this.#aside}/${key}`).catch(undefinedIfGone)
    }
    await this.#blobs.remove(prefix)
  }

  async #attempt(name: string, remove: () => Promise<void>, jobId?: string): Promise<void> {
    try {
      await remove()
      this.#left.delete(name)
    } catch (error) {
      // Reported once, not at every attempt.
      if (!this.#left.has(name)) this.#onError(error, jobId)
      this.#left.set(name, remove)
    }
  }
}
