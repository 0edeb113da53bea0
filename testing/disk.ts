import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Only root on Linux can create a disk. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** A small separate disk, which can really run full and shares no bytes with others, until the test ends. */
export async function smallDisk(megabytes: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  onTestFinished(async () => {
    execFileSync('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

/** Makes a disk refuse all writes, or accept them again. */
export const setReadOnly = (folder: string, readOnly: boolean): void =>
  void execFileSync('mount', ['-o', `remount,${readOnly ? 'ro' : 'rw'}`, folder])
