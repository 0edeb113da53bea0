/** Chooses the font files that LibreOffice gets for a document in addition to its own. */
import { familyKey, installedFonts } from '../../fonts/fontkit/installed.ts'
import { CJK, fontsFor, type OtherScript, showsScript } from '../../fonts/fontkit/scripts.ts'
import { type ShippedScript, shippedFonts } from '../../fonts/fontkit/shipped.ts'
import { openTypeface } from '../../fonts/fontkit/typefaces.ts'
import type { FontNeeds } from './needs.ts'

/** Texts in Korean have ideographs, too. */
const shipped = { ...shippedFonts, hangul: () => [...shippedFonts.hangul(), ...shippedFonts.cjk()] }

/** Families that LibreOffice ships, or replaces with a metric-compatible font because nobody else has the original. */
const OWN =
  /^(liberation|dejavu|carlito$|caladea$|opensymbol$|gentium|linux (libertine|biolinum)|noto (sans|serif)( (arabic|armenian|georgian|hebrew|lao))?$)/

/** The script of the others that LibreOffice's own fonts have. */
const OWN_SCRIPT = 'Devanagari'

/** Scripts of which LibreOffice loses letters where they come from another font than the one that a text names. */
const TO_BE_NAMED: readonly OtherScript[] = ['Khmer', 'Myanmar']

const isShipped = (script: ShippedScript | OtherScript): script is ShippedScript => script in shipped

/** Maximum total size of the user's own fonts for one document, since they are all held in memory. */
const INSTALLED_BYTES = 96 * 2 ** 20

export interface ChosenFonts {
  /** Absolute paths. */
  files: string[]
  /** Scripts that no font has. */
  lacking: OtherScript[]
  /** Families that the text in these scripts has to name. */
  toBeNamed: Map<OtherScript, string>
}

/** Chooses the font files that a document needs. */
export async function chooseFonts({ families, scripts }: FontNeeds): Promise<ChosenFonts> {
  const wanted = [...families].map(familyKey).filter(family => !OWN.test(family))
  const files = new Set<string>()
  const installed = wanted.length > 0 ? await installedFonts() : new Map<string, never>()
  let bytes = 0
  for (const family of wanted) {
    for (const file of installed.get(familyKey(family)) ?? []) {
      if (bytes + file.bytes > INSTALLED_BYTES) break
      bytes += file.bytes
      files.add(file.path)
    }
  }
  const lacking: OtherScript[] = []
  const toBeNamed: ChosenFonts['toBeNamed'] = new Map()
  for (const wanted of scripts) {
    const ready = isShipped(wanted) ? shipped[wanted]() : []
    for (const path of ready) files.add(path)
    if (ready.length > 0) continue
    // Of those that ship, only this one is ever left out.
    const script = isShipped(wanted) ? CJK : wanted
    if (script !== OWN_SCRIPT && ![...files].some(path => showsScript(path, script))) {
      const found = await fontsFor(script)
      for (const path of found) files.add(path)
      if (found.length === 0) lacking.push(script)
      else if (TO_BE_NAMED.includes(script))
        toBeNamed.set(script, openTypeface(found.find(path => showsScript(path, script))!)!.familyName)
    }
  }
  return { files: [...files], lacking, toBeNamed }
}

/** What text directly in a paragraph or in a part of one follows, in OpenDocument. */
const TEXT = /(<(?:text:(?:p|h|span|a)\b[^>]*|\/[^>]*|[^>]*\/)>)([^<]+)/g

/** Has the text of scripts in a flat OpenDocument file name these families. */
export function withFamilies(flat: Uint8Array, families: ChosenFonts['toBeNamed']): Buffer {
  let xml = Buffer.from(flat).toString()
  for (const [script, family] of families) {
    const letters = new RegExp(`\\p{Script=${script}}[\\p{Script=${script}}\\u200b-\\u200d]*`, 'gu')
    const style = `<style:style style:name="Font_${script}" style:family="text"><style:text-properties style:font-family-complex="'${family}'"/></style:style>`
    xml = xml
      .replace(TEXT, (_, tag, text: string) => {
        return tag + text.replace(letters, `<text:span text:style-name="Font_${script}">$&</text:span>`)
      })
      .replace('</office:automatic-styles>', `${style}$&`)
  }
  return Buffer.from(xml)
}
