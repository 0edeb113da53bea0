import { ByteReader } from '../../common/byte-reader.ts'
import { type Header, readHeader } from './header.ts'
import { type Resources, readResources } from './resources.ts'

/** The sections of a Photoshop document (Adobe Photoshop File Formats Specification, 2019). */
export interface PsdDocument {
  header: Header
  /** Palette of an indexed document: 256 reds, 256 greens, 256 blues. */
  palette: Uint8Array
  resources: Resources
  /** The layer and mask information. */
  layers: ByteReader
  /** Whether the file does not end before them. */
  hasAllLayers: boolean
  /** The merged picture, starting with its compression code. */
  merged: ByteReader
}

/** Splits a PSD or PSB file into its sections. */
export function readDocument(bytes: Uint8Array): PsdDocument {
  const reader = new ByteReader(bytes)
  const header = readHeader(reader)
  const palette = reader.take(reader.u32())
  const resources = readResources(reader.section(reader.u32()))
  const length = header.large ? reader.u64() : reader.u32()
  const hasAllLayers = length <= reader.remaining
  const layers = reader.section(Math.min(length, reader.remaining))
  return { header, palette, resources, layers, hasAllLayers, merged: reader }
}
