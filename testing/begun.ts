import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { folderOf } from './service.ts'

/**
 * Waits until the worker of a job that does `begin` is in the middle of it. A job counts as running earlier, while its worker is
 * still being started.
 * @param home the data folder of the service that runs it
 * @returns lets the job go on
 */
export async function begun(home: string, id: string): Promise<() => Promise<void>> {
  await expect.poll(async () => readdir(await folderOf(home, id)).catch(() => [])).toContain('begun')
  return async () => writeFile(join(await folderOf(home, id), 'go'), '')
}
