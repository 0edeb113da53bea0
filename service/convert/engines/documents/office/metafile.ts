/** Renders Windows metafiles (EMF, WMF) with LibreOffice. */
import { type Metafile, recordsOf } from '../../pictures/formats/metafile.ts'
import { convertDocument } from './engine.ts'
import { chooseFonts } from './fonts.ts'
import { addBinaryFamilies, addUtf16Scripts, type FontNeeds, noNeeds } from './needs.ts'

/** Extra size of the page over the metafile in points, so that the line that contains it fits. */
const SLACK = 100
const TWIPS_PER_POINT = 20

/** Commands that choose a font or write text: [MS-EMF] 2.3.5.19 and 2.3.5.20, [MS-WMF] 2.3.4.2. */
const EMF_FONT = 82
const EMF_TEXT = 84
const WMF_FONT = 0x02fb
/** Positions of the font names in these records. */
const EMF_NAME = { offset: 40, bytes: 64 }
const WMF_NAME = { offset: 24, bytes: 32 }
/** Offsets of the number of characters and of the text in a text record. */
const EMF_COUNT_OFFSET = 44
const EMF_STRING_OFFSET = 48

/**
 * Renders a metafile into the upper left corner of a PDF page.
 * @param size points
 * @returns the PDF; undefined if LibreOffice cannot render it
 * @throws JobFailure engine_missing, too_large, engine_crashed
 */
export async function drawMetafile(
  metafile: Metafile,
  size: { width: number; height: number },
): Promise<Uint8Array | undefined> {
  const twips = (points: number) => Math.round(points * TWIPS_PER_POINT)
  const page = `\\paperw${twips(size.width + SLACK)}\\paperh${twips(size.height + SLACK)}\\margl0\\margr0\\margt0\\margb0`
  const goal = `\\picwgoal${twips(size.width)}\\pichgoal${twips(size.height)}`
  const kind = metafile.kind === 'emf' ? 'emfblip' : 'wmetafile8'
  const rtf = `{\\rtf1${page}\\pard{\\pict\\${kind}${goal} ${metafile.bytes.toString('hex')}}\\par}`
  const filter = JSON.stringify({ UseLosslessCompression: { type: 'boolean', value: 'true' } })
  const answer = await convertDocument(
    { document: Buffer.from(rtf, 'latin1'), suffix: 'rtf', target: 'pdf', filter },
    (await chooseFonts(needsOf(metafile))).files,
  )
  return 'file' in answer ? answer.file : undefined
}

function needsOf(metafile: Metafile): FontNeeds {
  const needs = noNeeds()
  const { bytes } = metafile
  for (const { type, start, end } of recordsOf(metafile)) {
    const within = (offset: number, length: number) =>
      bytes.subarray(Math.min(start + offset, end), Math.min(start + offset + length, end))
    if (metafile.kind === 'wmf') {
      if (type !== WMF_FONT) continue
      const name = within(WMF_NAME.offset, WMF_NAME.bytes).toString('latin1').split('\0', 1)[0] ?? ''
      addBinaryFamilies(needs, Buffer.from(`${name}\0`, 'utf16le'))
    } else if (type === EMF_FONT) addBinaryFamilies(needs, within(EMF_NAME.offset, EMF_NAME.bytes))
    else if (type === EMF_TEXT && end - start > EMF_STRING_OFFSET + 4) {
      const count = bytes.readUInt32LE(start + EMF_COUNT_OFFSET)
      addUtf16Scripts(needs, within(bytes.readUInt32LE(start + EMF_STRING_OFFSET), count * 2))
    }
  }
  return needs
}
