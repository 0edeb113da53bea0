import { PDFArray, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib'
import { dictEntry, dictOf, name } from './objects.ts'
import type { Findings } from './operator-check.ts'

const PROCESS_COLORANTS = new Set(['/Cyan', '/Magenta', '/Yellow', '/Black', '/None', '/All'])

/** Maximum number of colorants in a space; ISO 19005-2, 6.1.13. */
const MAX_COLORANTS = 32
/** Maximum nesting of colour spaces. */
const SPACE_DEPTH = 8
/** Checks the colour spaces of a document: what PDF/A-2 requires of their colorants, also in relation to each other. */
export class ColourSpaces {
  readonly #document: PDFDocument
  readonly #separations = new Map<string, string>()

  constructor(document: PDFDocument) {
    this.#document = document
  }

  /** Records what is wrong with a space and with the spaces it is based on. */
  check(space: PDFObject | undefined, found: Findings, depth = 0): void {
    if (!(space instanceof PDFArray) || depth > SPACE_DEPTH) return
    const kind = String(space.get(0))
    const at = (index: number) => (index < space.size() ? space.lookup(index) : undefined)
    if (kind === '/Indexed' || kind === '/Pattern') this.check(at(1), found, depth + 1)
    else if (kind === '/Separation') {
      // A colorant must have the same meaning everywhere (6.2.4.4).
      const key = String(space.get(1))
      const meaning = `${String(space.get(2))} ${String(space.get(3))}`
      const known = this.#separations.get(key)
      if (known === undefined) this.#separations.set(key, meaning)
      else if (known !== meaning) found.problems.add(`colorant ${key} with two meanings`)
      this.check(at(2), found, depth + 1)
    } else if (kind === '/DeviceN') {
      const colorants = dictEntry(dictOf(at(4)), 'Colorants')
      const names = at(1)
      const list = names instanceof PDFArray ? names.asArray().map(String) : []
      if (list.length > MAX_COLORANTS) found.problems.add('too many colorants')
      for (const each of list) {
        if (!PROCESS_COLORANTS.has(each) && !colorants?.has(name(each.slice(1))))
          found.problems.add(`colorant ${each} without a meaning`)
      }
      for (const colorant of colorants?.values() ?? [])
        this.check(this.#document.context.lookup(colorant), found, depth + 1)
      this.check(at(2), found, depth + 1)
    }
  }
}
