import type { Preview } from '../../service/app/types.ts'

/** What is to be shown: what is there, and whether something newer is being made. */
export interface PreviewState {
  preview: Preview | null
  /** Whether what is shown is not what was asked for last. */
  isLoading: boolean
  /** Why the last could not be had. */
  error: unknown
}

interface Deps {
  /** Waits for the pause between changes. */
  pause: (run: () => void) => () => void
  tell: (state: PreviewState) => void
}

/** Asks for previews while options change: after a pause, the last wish only, and stops what was asked for before. */
export class LatestPreview {
  readonly #deps: Deps
  #state: PreviewState = { preview: null, isLoading: false, error: null }
  #stop = () => {}

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * @param load gets the preview
   * @param now without the pause, as for the first of a file
   */
  ask(load: (signal: AbortSignal) => Promise<Preview>, now = false): void {
    this.#stop()
    const abort = new AbortController()
    this.#tell({ ...this.#state, isLoading: true })
    const run = () => {
      load(abort.signal).then(
        preview => abort.signal.aborted || this.#tell({ preview, isLoading: false, error: null }),
        error => abort.signal.aborted || this.#tell({ preview: null, isLoading: false, error }),
      )
    }
    const cancelPause = now ? run() : this.#deps.pause(run)
    this.#stop = () => {
      cancelPause?.()
      abort.abort()
    }
  }

  /** Forgets what is shown, as for another file. */
  clear(): void {
    this.#stop()
    this.#tell({ preview: null, isLoading: false, error: null })
  }

  /** Stops without telling. */
  end(): void {
    this.#stop()
  }

  #tell(state: PreviewState): void {
    this.#state = state
    this.#deps.tell(state)
  }
}
