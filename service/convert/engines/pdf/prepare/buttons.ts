import { PDFDict, PDFName } from '@cantoo/pdf-lib'
import { dictEntry, entry, name, nameEntry, numbersEntry, textOf } from '../pdfa/objects.ts'
import { type Field, FLAGS } from './fields.ts'

/** ZapfDingbats characters (table 189: `CA`) for a check mark and a disc. */
const CHECK = '4'
const DISC = 'l'

/** Draws the mark of a check box or radio button that is on. */
export function drawButton({ widget, flags, value }: Field): boolean {
  if (flags & FLAGS.push) return false
  const state = nameEntry(widget, 'AS')
  const chosen = value('V')
  // The value of a field is the state only if it has a single widget.
  const on = state ?? (!widget.has(name('Parent')) && chosen instanceof PDFName ? chosen.decodeText() : 'Off')
  if (on === 'Off') return false
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersEntry(widget, 'Rect') ?? []
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)]
  const size = Math.min(width, height) * 0.9
  if (!(size > 0)) return false
  const characteristics = dictEntry(widget, 'MK')
  const mark =
    (characteristics && textOf(entry(characteristics, 'CA'))[0]) ?? (flags & FLAGS.radio ? DISC : CHECK)
  const character = /[()\\]/.test(mark) ? `\\${mark}` : mark
  const at = `${round((width - size * WIDTH) / 2)} ${round((height - size * HEIGHT) / 2)}`
  const { context } = widget
  const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'ZapfDingbats' })
  const picture = (content: string) =>
    context.register(
      context.flateStream(content, {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, width, height],
        Resources: { Font: { ZaDb: font } },
      }),
    )
  const states = PDFDict.withContext(context)
  states.set(PDFName.of(on), picture(`q BT 0 g /ZaDb ${round(size)} Tf ${at} Td (${character}) Tj ET Q`))
  states.set(PDFName.of('Off'), picture(''))
  widget.set(name('AP'), context.obj({ N: states }))
  widget.set(name('AS'), PDFName.of(on))
  return true
}

/** Width and height of the marks as shares of the font size. */
const WIDTH = 0.8
const HEIGHT = 0.7

const round = (value: number) => Math.round(value * 100) / 100
