import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export interface TestFiles {
  folder: string
  /** Path of a file of this name. */
  path(name: string): string
  /** Writes a file under a unique number and returns its path. */
  write(bytes: Uint8Array, suffix: string): string
}

/** A folder for one test file, deleted after its tests. */
export function testFiles(name: string): TestFiles {
  const folder = mkdtempSync(join(tmpdir(), `refile-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = (file: string) => join(folder, file)
  let count = 0
  const write = (bytes: Uint8Array, suffix: string) => {
    const file = path(`${count++}.${suffix}`)
    writeFileSync(file, bytes)
    return file
  }
  return { folder, path, write }
}
