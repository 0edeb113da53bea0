/** Draws the values of form fields whose appearance is missing or has to be regenerated; ISO 32000-1, 12.7.3.3. */
import {
  PDFAcroText,
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFString,
  PDFTextField,
} from '@cantoo/pdf-lib'
import { dictEntry, dictOf, entry, items, name, remove, textOf } from '../pdfa/objects.ts'
import { drawButton } from './buttons.ts'
import { FieldFonts, type Fitting } from './field-fonts.ts'
import { type Field, FLAGS, fieldsOf } from './fields.ts'

/** Longest value that is drawn; longer ones than `SIZED` get a fixed font size, since finding one that fits takes long. */
const LONGEST = 100_000
const SIZED = 2000
const SMALL_SIZE = 8

/** @returns whether any field was drawn, and the scripts of letters that were left out */
export async function drawFields(document: PDFDocument): Promise<{ drawn: boolean; lacking: string[] }> {
  const form = dictEntry(document.catalog, 'AcroForm')
  if (!form) return { drawn: false, lacking: [] }
  const mustRedraw = entry(form, 'NeedAppearances') === PDFBool.True
  const fonts = new FieldFonts(document, form)
  let drawn = false
  for (const field of fieldsOf(document)) {
    try {
      if (await drawField(document, form, fonts, field, mustRedraw)) drawn = true
    } catch {
      // A damaged field is left unchanged.
    }
  }
  // Otherwise readers of the file would draw the fields again, in fonts that may lack the letters.
  if (drawn) remove(form, 'NeedAppearances')
  return { drawn, lacking: [...fonts.lacking] }
}

async function drawField(
  document: PDFDocument,
  form: PDFDict,
  fonts: FieldFonts,
  field: Field,
  mustRedraw: boolean,
): Promise<boolean> {
  const { widget, type } = field
  const has = entry(widget, 'AP', 'N') !== undefined
  if (type === 'Btn') return !has && drawButton(field)
  if (type !== 'Tx' && type !== 'Ch') return false
  // A value that a script has formatted looks different from the stored value.
  if (has && (!mustRedraw || entry(dictOf(field.value('AA')), 'F'))) return false
  const text = shownText(field)
  if (text === '' && !has) return false
  const style = textOf(field.value('DA')) || textOf(entry(form, 'DA')) || '/Helv 0 Tf 0 g'
  const fitting = await fonts.fitting(text, style)
  drawText(document, field, fitting, style)
  return true
}

function shownText(field: Field): string {
  const value = field.value('V')
  const { context } = field.widget
  if (field.type === 'Ch') {
    const values = value instanceof PDFArray ? [...items(context, value)] : [value]
    return values
      .map(each => optionText(field, textOf(each)))
      .filter(text => text !== '')
      .join('\n')
  }
  const text = value instanceof PDFRawStream ? streamText(value) : textOf(value)
  return field.flags & FLAGS.password ? '*'.repeat(Math.min(text.length, 100)) : text.slice(0, LONGEST)
}

const streamText = (stream: PDFRawStream) =>
  PDFString.of(Buffer.from(stream.getContents()).toString('latin1')).decodeText()

/** The displayed name of an option, whose value may be a code. */
function optionText(field: Field, code: string): string {
  const options = field.value('Opt')
  const { context } = field.widget
  if (options instanceof PDFArray)
    for (const option of items(context, options)) {
      if (!(option instanceof PDFArray)) continue
      const [value, text] = [...items(context, option)].map(textOf)
      if (value === code) return text || code
    }
  return code
}

/** Draws on a copy with all inherited entries, and takes over its appearance. */
function drawText(document: PDFDocument, field: Field, { text, font }: Fitting, style: string): void {
  const { widget, type, flags } = field
  const copy = PDFDict.withContext(widget.context)
  for (const key of ['Rect', 'MK', 'BS', 'Border']) {
    const value = entry(widget, key)
    if (value) copy.set(name(key), value)
  }
  const quadding = field.value('Q')
  if (quadding instanceof PDFNumber) copy.set(name('Q'), quadding)
  const longest = field.value('MaxLen')
  const cells = longest instanceof PDFNumber ? longest.asNumber() : 0
  const isComb = (flags & FLAGS.comb) !== 0 && cells > 0 && cells < 1000 && text.length <= cells
  if (isComb) copy.set(name('MaxLen'), PDFNumber.of(cells))
  const isLong = type === 'Ch' ? (flags & FLAGS.combo) === 0 : (flags & FLAGS.multiline) !== 0
  copy.set(name('Ff'), PDFNumber.of((isComb ? FLAGS.comb : 0) | (isLong ? FLAGS.multiline : 0)))
  copy.set(name('V'), PDFHexString.fromText(text))
  const sized = text.length > SIZED ? style.replace(/\s0+(\.0*)?\s+Tf/, ` ${SMALL_SIZE} Tf`) : style
  copy.set(name('DA'), PDFString.of(sized))
  copy.set(name('FT'), PDFName.of('Tx'))
  const reference = PDFRef.of(0)
  PDFTextField.of(PDFAcroText.fromDict(copy, reference), reference, document).updateAppearances(font)
  const made = copy.get(name('AP'))
  if (made) widget.set(name('AP'), made)
}
