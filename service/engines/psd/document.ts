import { ByteReader } from '../byte-reader.ts'
import { type Header, readHeader } from './header.ts'
import { profileSpace, type Resources, readResources } from './resources.ts'
import type { Tone } from './samples.ts'

/** The sections of a Photoshop document (Adobe Photoshop File Formats Specification, 2019). */
export interface PsdDocument {
  header: Header
  /** Palette of an indexed document: 256 reds, 256 greens, 256 blues. */
  palette: Uint8Array
  resources: Resources
  /** The layer and mask information. */
  layers: ByteReader
  /** The merged picture, from its compression code on. */
  merged: ByteReader
}

/** Splits a PSD or PSB file into its sections. */
export function readDocument(bytes: Uint8Array): PsdDocument {
  const reader = new ByteReader(bytes)
  const header = readHeader(reader)
  const palette = reader.take(reader.u32())
  const resources = readResources(reader.section(reader.u32()))
  const layers = reader.section(header.large ? reader.u64() : reader.u32())
  return { header, palette, resources, layers, merged: reader }
}

/**
 * Floating-point documents hold linear light. Where the profile is linear too, samples stay as they are and the
 * profile says the rest; else they get the curve of sRGB, which the usual profiles share or come close to.
 */
export function toneOf({ header, resources }: PsdDocument): Tone {
  if (header.depth !== 32) return 'linear'
  return resources.icc && isLinear(resources.icc) ? 'linear' : 'srgb'
}

/** Whether the first tone curve of an ICC profile is the identity. */
function isLinear(icc: Uint8Array): boolean {
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength)
  const wanted = profileSpace(icc) === 'GRAY' ? 0x6b545243 : 0x72545243 // kTRC, rTRC
  if (icc.length < 132) return false
  const count = Math.min(view.getUint32(128), 100)
  for (let i = 0; i < count; i++) {
    const entry = 132 + i * 12
    if (entry + 12 > icc.length) return false
    if (view.getUint32(entry) !== wanted) continue
    const at = view.getUint32(entry + 4)
    if (at + 16 > icc.length) return false
    const type = view.getUint32(at)
    if (type === 0x63757276) {
      const points = view.getUint32(at + 8)
      return points === 0 || (points === 1 && view.getUint16(at + 12) === 256)
    }
    return type === 0x70617261 && view.getUint16(at + 8) === 0 && view.getUint32(at + 12) === 65536
  }
  return false
}
