/** Recognises media files protected by DRM, whose packets ffmpeg would consider damaged. */
import { open } from 'node:fs/promises'
import { boxesAt, boxesBetween } from '../../common/iso-boxes-in-file.ts'
import { readAt } from '../../common/read-at.ts'

/** Sample entries of encrypted audio: Common Encryption, FairPlay, Audible. */
const protectedEntries = new Set(['enca', 'drms', 'aavd'])

/**
 * GUIDs of ASF's header object and of its Content Encryption and Extended Content Encryption objects, as bytes in a
 * file.
 */
const asfHeader = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
const asfEncryption = ['fbb3112223bdd211b4b700a0c955fc6e', '14e68a292226174cb935dae07ee9289c'].map(hex =>
  Buffer.from(hex, 'hex'),
)

/** How many bytes of an ASF header are searched. */
const ASF_LIMIT = 1 << 18

export async function isProtected(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const start = await readAt(file, 0, 16)
  if (start.equals(asfHeader)) {
    const header = await readAt(file, 0, ASF_LIMIT)
    return asfEncryption.some(guid => header.includes(guid))
  }
  if (!/^(ftyp|moov|mdat|wide|free|skip)$/.test(start.toString('latin1', 4, 8))) return false
  for await (const { start, end } of boxesAt(file, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd')) {
    // The version and number of sample descriptions come before them.
    for await (const entry of boxesBetween(file, start + 8, end)) {
      if (protectedEntries.has(entry.type)) return true
    }
  }
  return false
}
