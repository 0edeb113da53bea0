/** Pieces of a document's body, each with the element it begins in. */
export interface Fragment {
  /** Bytes of the body. */
  from: number
  to: number
  /** `aid` of the innermost element that is open where it begins. */
  within: string
}

/** Size in bytes that kindlegen's fragments have at most, where there is a place to cut. */
const FRAGMENT_BYTES = 8192

interface Border {
  at: number
  within: string
}

/** Decides where a body is cut, from the places told one after another. */
export class FragmentCutter {
  readonly fragments: Fragment[] = []
  #from: Border
  /** The last places since the last cut: between blocks, and between any elements. */
  #block: Border | undefined
  #any: Border | undefined

  constructor(within: string) {
    this.#from = { at: 0, within }
  }

  /** A place between elements, `at` bytes into the body. */
  border(at: number, within: string, isBlock: boolean): void {
    while (at - this.#from.at > FRAGMENT_BYTES) {
      const cut = this.#block ?? this.#any
      if (!cut) break
      this.#cut(cut)
    }
    if (at === this.#from.at) return
    this.#any = { at, within }
    if (isBlock) this.#block = this.#any
  }

  /** Ends the body. There is at least one fragment, which may be empty. */
  end(at: number, within: string): void {
    this.border(at, within, false)
    if (at > this.#from.at || this.fragments.length === 0) {
      this.fragments.push({ from: this.#from.at, to: at, within: this.#from.within })
    }
  }

  #cut(border: Border): void {
    this.fragments.push({ from: this.#from.at, to: border.at, within: this.#from.within })
    this.#from = border
    if (this.#block && this.#block.at <= border.at) this.#block = undefined
    if (this.#any && this.#any.at <= border.at) this.#any = undefined
  }
}
