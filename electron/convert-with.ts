import { message } from '../service/shared/messages/message.ts'
import type { SaveTo, Settings, StagedFile } from '../service/web/app/types.ts'
import type { ServiceClient } from './client.ts'
import { ShellProblem } from './serve-channels.ts'
import { translate } from './words.ts'

/** How long to wait for more files of one selection: Windows starts the program once for each of them. */
const MERGE_MS = 400
/** Files of one batch. */
const MAX_FILES = 10_000

export interface ConvertWithParts {
  client: Pick<ServiceClient, 'stage' | 'createBatch' | 'settings'>
  /** Called with files that cannot be converted as requested, for the page to show. */
  onRefused: (path: string, file: StagedFile | null, problem: string | null) => void
}

/**
 * Immediately converts files chosen in the file manager: the files of one selection as one batch, beside their originals.
 */
export class ConvertWith {
  readonly #parts: ConvertWithParts
  readonly #waiting = new Map<string, Set<string>>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: ConvertWithParts) {
    this.#parts = parts
  }

  add(target: string, paths: readonly string[]): void {
    const files = this.#waiting.get(target) ?? new Set()
    for (const path of paths) if (files.size < MAX_FILES) files.add(path)
    this.#waiting.set(target, files)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#convertAll(), MERGE_MS)
  }

  #convertAll(): void {
    for (const [target, paths] of this.#waiting) void this.#convert(target, [...paths])
    this.#waiting.clear()
  }

  async #convert(target: string, paths: readonly string[]): Promise<void> {
    const { client, onRefused } = this.#parts
    const staged: { path: string; file: StagedFile }[] = []
    for (const path of paths) {
      try {
        const file = await client.stage(path)
        if (file.targets.some(choice => choice.target === target)) staged.push({ path, file })
        else onRefused(path, file, null)
      } catch (error) {
        onRefused(path, null, problemOf(error))
      }
    }
    if (staged.length === 0) return
    try {
      const { destination } = await client.settings()
      await client.createBatch({
        fileIds: staged.map(({ file }) => file.id),
        targetFormat: target,
        destination: { kind: 'beside', ...namesOf(destination) },
      })
    } catch {
      // The page shows the reason when it is tried from there.
      for (const { path, file } of staged) onRefused(path, file, null)
    }
  }
}

export const problemOf = (error: unknown): string =>
  error instanceof ShellProblem ? error.message : translate(message('shell.unreadable'))

/**
 * The person's settings for names, for every destination. A selection is converted without asking, so a taken name gets a number.
 */
const namesOf = (saveTo: Settings['destination']): Partial<Pick<SaveTo, 'name' | 'keepDates'>> =>
  saveTo ? { keepDates: saveTo.keepDates, ...(saveTo.name === '' ? {} : { name: saveTo.name }) } : {}
