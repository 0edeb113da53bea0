/** Keeps the side of the file itself for the next comparison: its options change, and the file does not. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskInput } from '../catalogue/task.ts'
import { type Place, type Side, sideOf } from './content.ts'

interface Kept {
  /** Identifies the file and its state. */
  of: string
  side: Side
  /** What is shown of it. */
  picture: Buffer
}

/** One is enough: a process makes one comparison after another, mostly of the file that a person looks at. */
let last: Kept | null = null

/** What can be seen of a file, kept if that is a picture and takes little memory. @throws JobFailure */
export async function keptSideOf(input: TaskInput, place: Place): Promise<Side | null> {
  const { ino, size, mtimeMs } = await stat(input.path)
  const of = JSON.stringify([input.path, input.format, ino, size, mtimeMs])
  if (last?.of === of) {
    await writeFile(fileOf(last.side, place), last.picture)
    return last.side
  }
  last = null
  const side = await sideOf(input, place)
  if (side?.look.kind === 'picture' && side.shown?.isFile)
    last = { of, side, picture: await readFile(fileOf(side, place)) }
  return side
}

const fileOf = ({ look }: Side, { shown }: Place): string => join(shown, 'file' in look ? look.file : '')
