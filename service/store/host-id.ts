import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../shared/placing/durable.ts'
import { guid } from './interfaces/ids.ts'

/**
 * The id of the host with this data folder, created at its first start: it identifies the jobs that were running before
 * a crash.
 */
export async function hostId(home: string): Promise<string> {
  const path = join(home, 'host-id')
  const known = await readFile(path, 'utf8').catch(() => '')
  if (known.trim() !== '') return known.trim()
  const id = guid()
  await writeDurably(path, `${id}\n`)
  return id
}
