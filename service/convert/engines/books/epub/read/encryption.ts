import { createHash } from 'node:crypto'
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { findIn, type XmlElement } from '../../../common/xml/element.ts'
import { elementsIn } from '../../book/links.ts'
import { readMetadata } from './metadata.ts'

const IDPF = 'http://www.idpf.org/2008/embedding'
const ADOBE = 'http://ns.adobe.com/pdf/enc#RC'
const IDPF_BYTES = 1040
const ADOBE_BYTES = 1024

/** Restores an obfuscated font. */
export type Restore = (bytes: Uint8Array) => Uint8Array

/** The part of a container that this needs. */
interface Files {
  entries: ReadonlyMap<string, unknown>
  find(path: string): string | undefined
  packagePath(): Promise<string>
  readXml(name: string): Promise<XmlElement>
}

/**
 * Finds the protected files of a book, by path. Fonts that are only obfuscated, with the methods of the IDPF
 * (https://www.w3.org/TR/epub-33/#sec-font-obfuscation) or Adobe, can be restored.
 * @throws JobFailure encrypted_input for DRM that needs a key: Adobe ADEPT, Readium LCP, Apple FairPlay, Barnes & Noble …
 */
export async function obfuscatedFonts(files: Files): Promise<ReadonlyMap<string, Restore>> {
  const fonts = new Map<string, Restore>()
  if (files.entries.has('META-INF/license.lcpl')) throw isProtected('Readium LCP')
  if (files.entries.has('META-INF/sinf.xml')) throw isProtected('Apple FairPlay')
  if (!files.entries.has('META-INF/encryption.xml')) return fonts
  const root = await files.readXml('META-INF/encryption.xml')
  const obfuscated: { path: string; algorithm: string }[] = []
  for (const element of elementsIn(root)) {
    if (!element.name.endsWith('EncryptedData')) continue
    const algorithm = findIn(element, 'enc:EncryptionMethod')?.attributes.Algorithm ?? ''
    const path = files.find(findIn(element, 'enc:CipherReference')?.attributes.URI ?? '')
    if (path === undefined) continue
    if (algorithm !== IDPF && algorithm !== ADOBE) {
      throw isProtected(files.entries.has('META-INF/rights.xml') ? 'Adobe ADEPT' : undefined)
    }
    obfuscated.push({ path, algorithm })
  }
  if (obfuscated.length === 0) return fonts
  // The keys are derived from the unique identifier of the package, and from the first UUID.
  const { uniqueIdentifier, identifiers } = readMetadata(await files.readXml(await files.packagePath()))
  const idpfKey = createHash('sha1')
    .update(uniqueIdentifier.replace(/[\s\ufeff]/g, ''))
    .digest()
  const digits = identifiers.map(({ value }) => value.replace(/^urn:uuid:/i, '').replaceAll('-', ''))
  const adobeKey = Buffer.from(digits.find(value => /^[\da-f]{32}$/i.test(value)) ?? '', 'hex')
  for (const { path, algorithm } of obfuscated) {
    if (algorithm === IDPF) fonts.set(path, bytes => xored(bytes, idpfKey, IDPF_BYTES))
    else if (adobeKey.length === 16) fonts.set(path, bytes => xored(bytes, adobeKey, ADOBE_BYTES))
  }
  return fonts
}

const isProtected = (scheme?: string) =>
  new JobFailure(
    'jobs.encrypted_input',
    scheme ? message('ebooks.protected_by', { scheme }) : message('ebooks.protected'),
  )

/** A copy whose first `limit` bytes are XORed with the repeated key. */
export function xored(bytes: Uint8Array, key: Uint8Array, limit: number): Uint8Array {
  const result = Uint8Array.from(bytes)
  const end = Math.min(limit, result.length)
  for (let at = 0; at < end; at++) result[at]! ^= key[at % key.length]!
  return result
}
