/** What must be known about a whole TAR before its members can be written in order. */
import { isUtf8 } from 'node:buffer'
import { type Decoder, decoderFor, type Origin } from '../names.ts'
import type { TarMember } from './read.ts'

/** Another name or target for a member; null leaves it out. */
export type Change = { name?: Buffer; link?: Buffer } | null

export interface TarPlan {
  decoder: Decoder
  /** By the number of the member. */
  changes: ReadonlyMap<number, Change>
}

/** Thrown by a reading without a plan once it turns out that one is needed. */
export class NeedsPlan extends Error {}

/** A name by which extracted files replace each other; undefined for names that lead out and are changed anyway. */
function keyOf(name: Buffer): string | undefined {
  const parts = name
    .toString('latin1')
    .split('/')
    .filter(part => part !== '' && part !== '.')
  return name[0] === 0x2f || parts.includes('..') ? undefined : parts.join('/')
}

/**
 * Plans an archive that may have been updated (`tar -r`, `-u`, incremental backups): the last member of a name is the file,
 * as for GNU tar and bsdtar, whose extraction replaces the earlier ones. Hard links that were made to an earlier one keep
 * its content, under the name of the first of them.
 */
export async function planOf(
  members: AsyncIterable<TarMember>,
  encoding: Origin['encoding'],
): Promise<TarPlan> {
  const foreign: Buffer[] = []
  const last = new Map<string, number>()
  /** The file that each hard link means, and the links of each file. */
  const roots = new Map<number, number>()
  const links = new Map<number, { index: number; name: Buffer }[]>()
  const replaced = new Set<number>()
  const changes = new Map<number, Change>()
  let index = -1
  for await (const { name, link, kind } of members) {
    index++
    if (!isUtf8(name)) foreign.push(name)
    if (kind === 'folder') continue
    const key = keyOf(name)
    const before = key === undefined ? undefined : last.get(key)
    if (kind === 'hardlink') {
      const target = last.get(keyOf(link) ?? '')
      const root = target === undefined ? undefined : (roots.get(target) ?? target)
      // A file that was named twice when the archive was made is a link to itself.
      if (root !== undefined && root === before) {
        changes.set(index, null)
        continue
      }
      if (root !== undefined) {
        roots.set(index, root)
        links.set(root, [...(links.get(root) ?? []), { index, name }])
      }
    }
    if (key === undefined) continue
    if (before !== undefined) replaced.add(before)
    last.set(key, index)
  }
  for (const file of replaced) {
    const [heir, ...others] = (links.get(file) ?? []).filter(link => !replaced.has(link.index))
    changes.set(file, heir ? { name: heir.name } : null)
    if (heir) changes.set(heir.index, null)
    for (const { index } of others) changes.set(index, { link: heir!.name })
  }
  return { decoder: decoderFor(foreign, { from: 'unix', encoding }), changes }
}

/** Checks, member by member, that an archive needs no plan. */
export class Unplanned {
  readonly #seen = new Set<string>()

  /** @throws NeedsPlan */
  check({ name, kind }: TarMember): void {
    if (!isUtf8(name)) throw new NeedsPlan()
    const key = kind === 'folder' ? undefined : keyOf(name)
    if (key === undefined) return
    if (this.#seen.has(key)) throw new NeedsPlan()
    this.#seen.add(key)
  }
}
