import type { Preview } from '../../service/web/app/types.ts'

/** The current preview, and whether a newer one is being made. */
export interface PreviewState {
  preview: Preview | null
  /** Whether the preview shown is not the last one requested. */
  isLoading: boolean
  /** Why the last request failed. */
  error: unknown
}

interface Deps {
  /** Schedules a function after the pause between changes; returns a function that cancels it. */
  pause: (run: () => void) => () => void
  notify: (state: PreviewState) => void
}

/** Requests previews while options change: after a pause, only for the last state, aborting earlier requests. */
export class LatestPreview {
  readonly #deps: Deps
  #state: PreviewState = { preview: null, isLoading: false, error: null }
  #stop = () => {}

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * @param load loads the preview
   * @param now skips the pause, as for the first preview of a file
   */
  ask(load: (signal: AbortSignal) => Promise<Preview>, now = false): void {
    this.#stop()
    const abort = new AbortController()
    this.#notify({ ...this.#state, isLoading: true })
    const run = () => {
      load(abort.signal).then(
        preview => abort.signal.aborted || this.#notify({ preview, isLoading: false, error: null }),
        error => abort.signal.aborted || this.#notify({ preview: null, isLoading: false, error }),
      )
    }
    const cancelPause = now ? run() : this.#deps.pause(run)
    this.#stop = () => {
      cancelPause?.()
      abort.abort()
    }
  }

  /** Clears the preview, as for another file. */
  clear(): void {
    this.#stop()
    this.#notify({ preview: null, isLoading: false, error: null })
  }

  /** Stops without telling. */
  end(): void {
    this.#stop()
  }

  #notify(state: PreviewState): void {
    this.#state = state
    this.#deps.notify(state)
  }
}
