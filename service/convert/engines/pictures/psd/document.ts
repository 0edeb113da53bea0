import { ByteReader } from '../../common/byte-reader.ts'
import { hasLinearCurve } from '../formats/icc.ts'
import { type Header, readHeader } from './header.ts'
import { type Resources, readResources } from './resources.ts'
import type { Tone } from './samples.ts'

/** The sections of a Photoshop document (Adobe Photoshop File Formats Specification, 2019). */
export interface PsdDocument {
  header: Header
  /** Palette of an indexed document: 256 reds, 256 greens, 256 blues. */
  palette: Uint8Array
  resources: Resources
  /** The layer and mask information. */
  layers: ByteReader
  /** The merged picture, starting with its compression code. */
  merged: ByteReader
}

/** Splits a PSD or PSB file into its sections. */
export function readDocument(bytes: Uint8Array): PsdDocument {
  const reader = new ByteReader(bytes)
  const header = readHeader(reader)
  const palette = reader.take(reader.u32())
  const resources = readResources(reader.section(reader.u32()))
  // A file that is truncated in its layers has no merged picture, but some of the layers.
  const layers = reader.section(Math.min(header.large ? reader.u64() : reader.u32(), reader.remaining))
  return { header, palette, resources, layers, merged: reader }
}

/**
 * Floating-point documents contain linear light. If the profile is linear too, samples stay as they are and the profile
 * describes them; otherwise they get the sRGB curve, which most profiles use or come close to.
 */
export function toneOf({ header, resources }: PsdDocument): Tone {
  if (header.depth !== 32) return 'linear'
  return resources.icc && hasLinearCurve(resources.icc) ? 'linear' : 'srgb'
}
