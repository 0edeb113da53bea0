/** Keeps what is shown of the file itself for the next comparison: its options change, and the file does not. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../shared/errors.ts'
import { PREVIEW_EDGE } from '../catalogue/preview.ts'
import type { TaskInput } from '../catalogue/task.ts'
import type { Sharp } from '../engines/pictures/sharp/load.ts'
import { type PreviewFolder, type Side, sideOf } from './content.ts'
import { scaled } from './shown.ts'
import { shownOf } from './thumbnail.ts'

interface Kept<Value> {
  /** Identifies the file and its state. */
  of: string
  value: Value
}

/** One is enough: a process makes one comparison after another, mostly of the file that a person views. */
let lastSide: Kept<{ side: Side; picture: Buffer }> | null = null
let lastSmall: Kept<Sharp> | null = null

/** What can be seen of a file, kept if that is a picture and takes little memory. @throws JobFailure */
export async function keptSideOf(input: TaskInput, place: PreviewFolder): Promise<Side | null> {
  const of = await stateOf(input)
  if (lastSide?.of === of) {
    const { side, picture } = lastSide.value
    await writeFile(fileOf(side, place), picture)
    return side
  }
  lastSide = null
  const made = await sideOf(input, place)
  if (!made) return null
  const { small, ...side } = made
  lastSmall = small ? { of, value: small } : null
  if (side.look.kind === 'picture' && side.shown?.isFile)
    lastSide = { of, value: { side, picture: await readFile(fileOf(side, place)) } }
  return side
}

/** A copy of a file's picture that is no larger than what is looked at. @throws JobFailure */
export async function smallOf(input: TaskInput, folder: string): Promise<Sharp> {
  const of = await stateOf(input)
  if (lastSmall?.of === of) return lastSmall.value
  const shown = await shownOf(input, { edge: PREVIEW_EDGE, folder })
  if (!shown) throw new JobFailure('jobs.unsupported_input')
  lastSmall = { of, value: await scaled(shown, PREVIEW_EDGE) }
  return lastSmall.value
}

async function stateOf({ path, format }: TaskInput): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path)
  return JSON.stringify([path, format, ino, size, mtimeMs])
}

const fileOf = ({ look }: Side, { shown }: PreviewFolder): string =>
  join(shown, 'file' in look ? look.file : '')
