import type { PreviewContent } from '../../service/convert/catalogue/preview.ts'
import type { Preview } from '../../service/web/app/types.ts'

/** The current preview, and whether a newer one is being made. */
export interface PreviewState {
  preview: Preview | null
  /** Whether the preview shown is not the last one requested. */
  isLoading: boolean
  /** Why the last request failed. */
  error: unknown
}

type Load = (signal: AbortSignal) => Promise<Preview>

interface Deps {
  /** Schedules a function after the pause between changes, which is short for a draft; returns a function that cancels it. */
  pause: (run: () => void, isShort?: boolean) => () => void
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
   * @param draft loads sooner what the result will look like, to be shown meanwhile
   */
  ask(load: Load, now = false, draft?: Load): void {
    this.#stop()
    const abort = new AbortController()
    this.#notify({ ...this.#state, isLoading: true })
    const run = () => {
      load(abort.signal).then(
        preview => this.#settle(abort, { preview, isLoading: false, error: null }),
        error => this.#settle(abort, { preview: null, isLoading: false, error }),
      )
    }
    const cancelPause = now ? run() : this.#deps.pause(run)
    const cancelDraft = draft && this.#deps.pause(() => this.#showDraft(draft, abort), true)
    this.#stop = () => {
      cancelPause?.()
      cancelDraft?.()
      abort.abort()
    }
  }

  /** Replaces only what the result looks like, and not once the result itself is shown. */
  #showDraft(draft: Load, abort: AbortController): void {
    draft(abort.signal).then(
      ({ after }) => {
        const { preview, isLoading } = this.#state
        if (preview && after && isLoading && !abort.signal.aborted)
          this.#notify({ ...this.#state, preview: { ...preview, after: sized(after, preview.after) } })
      },
      // The preview itself says what is wrong.
      () => {},
    )
  }

  #settle({ signal }: AbortController, state: PreviewState): void {
    if (!signal.aborted) this.#notify(state)
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

/** A look with the size in pixels of the one that it replaces. */
const sized = (look: PreviewContent, of: PreviewContent | null): PreviewContent =>
  look.kind === 'picture' && of?.kind === 'picture' ? { ...look, width: of.width, height: of.height } : look
