import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { isDamage } from '../../../common/damage.ts'
import { ownValue } from '../../../common/own-value.ts'
import { childOf, childrenOf, textOf, type XmlElement } from '../../../common/xml/element.ts'
import { soundRoot } from '../../../common/xml/tree.ts'
import { CompoundFile, isCompound } from '../../formats/compound.ts'
import { openProtected } from '../../formats/office-encryption.ts'
import { partName } from '../../formats/part-names.ts'
import { unzipped } from '../../formats/unzip.ts'
import type { Block } from '../../model.ts'

const office = 'http://schemas.openxmlformats.org'
const strict = 'http://purl.oclc.org/ooxml'

/** Prefixes by namespace, for both the transitional and the strict form (ISO/IEC 29500). */
const prefixes = new Map<string, string>([
  ...Object.entries({
    ...{ w: 'wordprocessingml/main', m: 'officeDocument/math', r: 'officeDocument/relationships' },
    ...{ a: 'drawingml/main', p: 'presentationml/main', wp: 'drawingml/wordprocessingDrawing' },
    ...{ pic: 'drawingml/picture', c: 'drawingml/chart', dgm: 'drawingml/diagram' },
  }).flatMap(([prefix, name]): [string, string][] => [
    [`${office}/${name.replace('/', '/2006/')}`, prefix],
    [`${strict}/${name}`, prefix],
  ]),
  [`${office}/markup-compatibility/2006`, 'mc'],
  ['http://schemas.microsoft.com/office/word/2010/wordprocessingShape', 'wps'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['http://schemas.microsoft.com/office/drawing/2010/main', 'a14'],
  ['http://schemas.microsoft.com/office/drawing/2016/SVG/main', 'asvg'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  [`${office}/package/2006/metadata/core-properties`, 'cp'],
  [`${office}/package/2006/relationships`, ''],
  [`${office}/package/2006/content-types`, ''],
])

/** For a document of another program under the name of a Word file. */
export const otherFormat = (): JobFailure =>
  new JobFailure('jobs.unsupported_input', message('office.other_format'))

interface Relationship {
  type: string
  /** Name of a file in the package, or an address outside it. */
  target: string
  isExternal: boolean
}

/** What a part refers to, by the names that it has there. */
export type Relationships = ReadonlyMap<string, Relationship>

/** An Office Open XML package (ECMA-376 part 2): a ZIP of parts that refer to each other. */
export class OfficePackage {
  readonly #files: Record<string, Uint8Array>

  /** @throws JobFailure encrypted_input, corrupt_input, too_large */
  constructor(bytes: Uint8Array, password?: string) {
    const files = Object.entries(unzipped(unwrapped(bytes, password)))
    this.#files = Object.fromEntries(files.map(([name, content]) => [partName(name), content]))
  }

  file(name: string): Uint8Array | undefined {
    return (
      ownValue(this.#files, name) ??
      this.#files[Object.keys(this.#files).find(key => key.toLowerCase() === name.toLowerCase()) ?? '']
    )
  }

  /** A part as XML; undefined if it does not exist. @throws JobFailure corrupt_input */
  xml(name: string): XmlElement | undefined {
    const bytes = this.file(name)
    return bytes && soundRoot(bytes, '', prefixes)
  }

  /** The main part, or the one that is usually so named. */
  main(usual: string): string {
    const start = [...this.relationships('').values()].find(({ type }) => type.endsWith('/officeDocument'))
    return start && this.file(start.target) ? start.target : usual
  }

  /** What is read of a part that holds data; nothing of a damaged one. */
  data(part: string, read: (data: XmlElement | undefined) => Block[]): Block[] {
    try {
      return read(this.xml(part))
    } catch (error) {
      if (error instanceof JobFailure && error.code === 'jobs.corrupt_input') return []
      throw error
    }
  }

  /** Reads properties of the document by their names, such as `dc:title`; empty for those that it lacks. @throws JobFailure corrupt_input */
  properties(): (name: string) => string {
    const core = this.xml('docProps/core.xml')
    return name => textOf(childOf(core, name)).replace(/\s+/g, ' ').trim()
  }

  /** The relationships of a part, by id. */
  relationships(part: string): Map<string, Relationship> {
    const slash = part.lastIndexOf('/')
    const folder = part.slice(0, slash + 1)
    const list = this.xml(`${folder}_rels/${part.slice(slash + 1)}.rels`)
    return new Map(
      childrenOf(list, 'Relationship').map(
        ({ attributes: { Id = '', Type = '', Target = '', TargetMode } }) => {
          const isExternal = TargetMode === 'External'
          return [Id, { type: Type, target: isExternal ? Target : resolved(folder, Target), isExternal }]
        },
      ),
    )
  }
}

/** The name of the part to which a relative target refers. */
function resolved(folder: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : folder + target
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The decrypted package; encrypted ones are stored in a container of the older formats: [MS-OFFCRYPTO] 2.3. */
function unwrapped(bytes: Uint8Array, password: string | undefined): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('latin1')
  // Word also opens Word 2003 XML, HTML and RTF, whatever the file name.
  if (/^(?:\xef\xbb\xbf)?\s*(?:<[?!a-z]|\{\\rtf)/i.test(head)) throw otherFormat()
  if (!isCompound(bytes)) return bytes
  try {
    const file = new CompoundFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    if (file.has('EncryptedPackage')) return openProtected(file, password)
  } catch (cause) {
    throw isDamage(cause) ? new JobFailure('jobs.corrupt_input', undefined, { cause }) : cause
  }
  throw new JobFailure('jobs.unsupported_input', message('word.older_format'))
}
