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
  /**
   * Schedules a function after the pause between changes, which is short for a draft and long where there is one.
   * @returns cancels it
   */
  pause: (run: () => void, pause: 'usual' | 'short' | 'long') => () => void
  notify: (state: PreviewState) => void
}

/** Requests previews while options change: after a pause, only for the last state, aborting earlier requests. */
export class LatestPreview {
  readonly #deps: Deps
  #state: PreviewState = { preview: null, isLoading: false, error: null }
  #stop = () => {}
  /** Drafts of what is looked at, one at a time; null before the first. */
  #drafts: { abort: AbortController; next: Load | null } | null = null

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * @param load loads the preview
   * @param now skips the pause, as for the first preview of a file
   * @param draft loads sooner what the result will look like, to be shown meanwhile. One that is being made is finished first and shown,
   * since stopping it takes as long, and only the last of those asked for meanwhile is made.
   */
  ask(load: Load, now = false, draft?: Load): void {
    this.#stop()
    if (!draft) this.#endDrafts()
    const abort = new AbortController()
    this.#notify({ ...this.#state, isLoading: true })
    const run = () => {
      load(abort.signal).then(
        preview => this.#settle(abort, { preview, isLoading: false, error: null }),
        error => this.#settle(abort, { preview: null, isLoading: false, error }),
      )
    }
    const cancelPause = now ? run() : this.#deps.pause(run, draft ? 'long' : 'usual')
    const cancelDraft = draft && this.#deps.pause(() => this.#makeDraft(draft), 'short')
    this.#stop = () => {
      cancelPause?.()
      cancelDraft?.()
      abort.abort()
    }
  }

  #makeDraft(draft: Load): void {
    if (this.#drafts) {
      this.#drafts.next = draft
      return
    }
    const drafts = { abort: new AbortController(), next: null as Load | null }
    this.#drafts = drafts
    const { signal } = drafts.abort
    draft(signal)
      // The preview itself says what is wrong.
      .then(
        made => this.#showDraft(made, signal),
        () => {},
      )
      .finally(() => {
        if (signal.aborted) return
        this.#drafts = null
        if (drafts.next && this.#state.isLoading) this.#makeDraft(drafts.next)
      })
  }

  /** Replaces only what the result looks like, and not once the result itself is shown. */
  #showDraft({ after }: Preview, signal: AbortSignal): void {
    const { preview, isLoading } = this.#state
    if (preview && after && isLoading && !signal.aborted)
      this.#notify({ ...this.#state, preview: { ...preview, after: sized(after, preview.after) } })
  }

  #endDrafts(): void {
    this.#drafts?.abort.abort()
    this.#drafts = null
  }

  #settle({ signal }: AbortController, state: PreviewState): void {
    if (!signal.aborted) this.#notify(state)
  }

  /** Clears the preview, as for another file. */
  clear(): void {
    this.end()
    this.#notify({ preview: null, isLoading: false, error: null })
  }

  /** Stops without telling. */
  end(): void {
    this.#stop()
    this.#endDrafts()
  }

  #notify(state: PreviewState): void {
    this.#state = state
    this.#deps.notify(state)
  }
}

/** A look with the size in pixels of the one that it replaces. */
const sized = (look: PreviewContent, of: PreviewContent | null): PreviewContent =>
  look.kind === 'picture' && of?.kind === 'picture' ? { ...look, width: of.width, height: of.height } : look
