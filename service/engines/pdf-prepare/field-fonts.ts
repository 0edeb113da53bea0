/** Fonts for values of form fields: those every viewer has, or one that ships beside the code and has the letters. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { type PDFDict, type PDFDocument, type PDFFont, StandardFonts } from '@cantoo/pdf-lib'
import * as fontkit from 'fontkit'
import { dictEntry, nameEntry } from '../pdfa/objects.ts'
import { resource } from '../resources.ts'

const { resolve } = createRequire(import.meta.url)

type Family = 'sans' | 'serif' | 'fixed'

const STANDARD: Record<Family, StandardFonts> = {
  sans: StandardFonts.Helvetica,
  serif: StandardFonts.TimesRoman,
  fixed: StandardFonts.Courier,
}
const SHIPPED: Record<Family, string> = {
  sans: 'Arimo-Regular.ttf',
  serif: 'Tinos-Regular.ttf',
  fixed: 'Cousine-Regular.ttf',
}

/** Files in the order they are tried. */
const filesFor = (family: Family): (() => string)[] => [
  () => resource('fonts', SHIPPED[family]),
  () => resource('fonts', 'DejaVuSans.ttf'),
  () => resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
  () => resolve('@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf'),
  () => resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
]

/** A font, and the text without the characters that it lacks. */
export interface Fitting {
  font: PDFFont
  text: string
}

/** Chooses fonts for the values of one document, in which each is embedded once. */
export class FieldFonts {
  readonly #document: PDFDocument
  readonly #form: PDFDict
  readonly #embedded = new Map<string, PDFFont>()
  readonly #programs = new Map<string, { bytes: Buffer; font: fontkit.Font }>()

  constructor(document: PDFDocument, form: PDFDict) {
    this.#document = document
    this.#form = form
    document.registerFontkit(fontkit as unknown as Parameters<PDFDocument['registerFontkit']>[0])
  }

  /** @param appearance the field's default appearance string, such as `/Helv 12 Tf 0 g` */
  async fitting(text: string, appearance: string): Promise<Fitting> {
    const family = this.#familyOf(appearance)
    if (WIN_ANSI.test(text)) return { font: await this.#embed(STANDARD[family], STANDARD[family]), text }
    let best: { path: string; lacking: number } | undefined
    for (const file of filesFor(family)) {
      const path = file()
      const { font } = this.#program(path)
      const lacking = [...text].filter(letter => !has(font, letter)).length
      if (!best || lacking < best.lacking) best = { path, lacking }
      if (lacking === 0) break
    }
    const { bytes, font } = this.#program(best!.path)
    const kept = [...text].filter(letter => has(font, letter)).join('')
    return { font: await this.#embed(best!.path, bytes), text: kept }
  }

  #program(path: string) {
    let program = this.#programs.get(path)
    if (!program) {
      const bytes = readFileSync(path)
      program = { bytes, font: fontkit.create(bytes) as fontkit.Font }
      this.#programs.set(path, program)
    }
    return program
  }

  async #embed(key: string, program: StandardFonts | Buffer): Promise<PDFFont> {
    let font = this.#embedded.get(key)
    if (!font) {
      font = await this.#document.embedFont(
        program,
        // The library's own names are random.
        typeof program === 'string' ? {} : { subset: true, customName: `AAAAAA+${basename(key, '.ttf')}` },
      )
      this.#embedded.set(key, font)
    }
    return font
  }

  #familyOf(appearance: string): Family {
    const named = /\/(\S+)\s+[\d.]*\s*Tf/.exec(appearance)?.[1] ?? ''
    const resources = dictEntry(this.#form, 'DR')
    const fonts = resources && dictEntry(resources, 'Font')
    const font = fonts && dictEntry(fonts, named)
    const name = (font && nameEntry(font, 'BaseFont')) ?? named
    if (/cour|mono|consol/i.test(name)) return 'fixed'
    return /times|^ti|serif|roman/i.test(name) && !/sans/i.test(name) ? 'serif' : 'sans'
  }
}

/** What the fonts that every viewer has can write. */
const WIN_ANSI = /^[\s\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u
const LINE_BREAKS = /[\r\n\t]/

const has = (font: fontkit.Font, letter: string) =>
  LINE_BREAKS.test(letter) || font.hasGlyphForCodePoint(letter.codePointAt(0)!)
