/** Device-independent colour spaces for PDF/A (ISO 19005-2, 6.2.3 and 6.2.4). */
import { decodePDFRawStream, PDFArray, type PDFDict, type PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { iccComponents } from '../../pictures/formats/icc.ts'
import { sharp } from '../../pictures/sharp/load.ts'
import { allDicts, dictEntry, entry, follow, name, numberEntry, remove, resourcesOf } from './objects.ts'

let inks: Promise<Buffer> | undefined

/** libvips' built-in profile of printing inks. */
function cmykProfile(): Promise<Buffer> {
  inks ??= sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .withIccProfile('cmyk')
    .jpeg()
    .toBuffer()
    .then(picture => sharp(picture).metadata())
    .then(({ icc }) => icc ?? Buffer.alloc(0))
  return inks
}

/**
 * Defines the appearance of inks without a profile, and removes invalid profiles. Red, green and blue are those of the
 * document's output intent, sRGB.
 * @param usesInks whether any content sets inks directly
 */
export async function nameColours(document: PDFDocument, usesInks: boolean): Promise<void> {
  const { context } = document
  mendProfiles(document)
  if (!usesInks && !namesInks(document)) return
  const stream = context.register(context.flateStream(await cmykProfile(), { N: 4 }))
  const space = context.register(context.obj(['ICCBased', stream]))
  const seen = new Set<PDFDict>()
  const add = (resources: PDFDict | undefined) => {
    if (!resources || seen.has(resources)) return
    seen.add(resources)
    let spaces = dictEntry(resources, 'ColorSpace')
    if (!spaces) {
      spaces = context.obj({})
      resources.set(name('ColorSpace'), spaces)
    }
    if (!isProfiled(entry(spaces, 'DefaultCMYK'))) spaces.set(name('DefaultCMYK'), space)
  }
  for (const page of document.getPages()) {
    page.node.normalize()
    add(resourcesOf(page.node))
  }
  for (const { dict } of allDicts(document)) add(dictEntry(dict, 'Resources'))
}

const isProfiled = (space: unknown): boolean =>
  space instanceof PDFArray && space.size() > 0 && String(space.get(0)) === '/ICCBased'

/** Whether DeviceCMYK is used anywhere except in content. */
function namesInks(document: PDFDocument): boolean {
  const inks = name('DeviceCMYK')
  return (
    allDicts(document).some(({ dict }) => dict.values().includes(inks)) ||
    allArrays(document).some(array => array.asArray().includes(inks))
  )
}

/** The lists that are objects of their own or entries of dictionaries. */
function* allArrays(document: PDFDocument): Generator<PDFArray> {
  for (const [, object] of document.context.enumerateIndirectObjects())
    if (object instanceof PDFArray) yield object
  for (const { dict } of allDicts(document))
    for (const value of dict.values()) if (value instanceof PDFArray) yield value
}

/** Replaces a profile that is invalid, or is for other colours than declared, by the plain colours it represents. */
function mendProfiles(document: PDFDocument): void {
  const { context } = document
  const bad = new Map<PDFRawStream, string>()
  const good = new Set<PDFRawStream>()
  const mend = (array: PDFArray) => {
    if (array.size() < 2 || array.get(0) !== name('ICCBased')) return
    const stream = follow(context, array.get(1))
    if (!(stream instanceof PDFRawStream) || good.has(stream)) return
    const components = numberEntry(stream.dict, 'N')
    if (!bad.has(stream)) {
      remove(stream.dict, 'Range', 'Alternate')
      if (isUsable(stream, components)) good.add(stream)
      else bad.set(stream, components === 1 ? 'DeviceGray' : components === 4 ? 'DeviceCMYK' : 'DeviceRGB')
    }
    const plain = bad.get(stream)
    if (plain) plainSpaces.push([array, plain])
  }
  const plainSpaces: [PDFArray, string][] = []
  for (const array of allArrays(document)) mend(array)
  for (const [array, plain] of plainSpaces) {
    // References to the array stay valid, because an Indexed space with another base colour would be a different one.
    while (array.size() > 0) array.remove(array.size() - 1)
    array.push(name(plain))
  }
}

function isUsable(stream: PDFRawStream, components: number | undefined): boolean {
  try {
    const profile = Buffer.from(decodePDFRawStream(stream).decode())
    const version = profile[8] ?? 9
    const kind = profile.toString('latin1', 12, 16)
    return (
      iccComponents(profile) === components &&
      profile.toString('latin1', 36, 40) === 'acsp' &&
      version <= 4 &&
      ['scnr', 'mntr', 'prtr', 'spac'].includes(kind)
    )
  } catch {
    return false
  }
}
