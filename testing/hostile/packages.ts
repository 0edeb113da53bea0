import { strFromU8, unzipSync } from 'fflate'
import { zipOf } from '../hostile-archives.ts'
import type { Packed } from './bombs.ts'

/** Parts of a package by name: given as text, compressed, or as a change to the existing part. */
export type Edits = Readonly<Record<string, string | Packed | ((xml: string) => string | Packed)>>

/** The package with some parts changed and others added. */
export function edited(bytes: Uint8Array, edits: Edits): Buffer {
  const parts = new Map<string, Uint8Array | Packed>(Object.entries(unzipSync(bytes)))
  for (const [name, edit] of Object.entries(edits)) {
    const before = parts.get(name)
    if (typeof edit === 'function' && !(before instanceof Uint8Array)) throw new Error(`no part ${name}`)
    const after = typeof edit === 'function' ? edit(strFromU8(before as Uint8Array)) : edit
    parts.set(name, typeof after === 'string' ? Buffer.from(after) : after)
  }
  return zipOf(
    [...parts].map(([name, part]) =>
      part instanceof Uint8Array ? { name, data: Buffer.from(part) } : { name, ...part },
    ),
  )
}

/** XML split at a text, to put a huge number of spaces between the halves. */
export const around = (xml: string, text: string): [before: string, after: string] => {
  const at = xml.indexOf(text)
  return [xml.slice(0, at), xml.slice(at)]
}
