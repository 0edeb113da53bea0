import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../stores/durable.ts'
import { guid } from '../stores/ids.ts'

/** The id of the host with this data folder, made at its first start: what it ran before a crash is known by it. */
export async function hostId(home: string): Promise<string> {
  const path = join(home, 'host-id')
  const known = await readFile(path, 'utf8').catch(() => '')
  if (known.trim() !== '') return known.trim()
  const id = guid()
  await writeDurably(path, `${id}\n`)
  return id
}
