/** Videos inside photos, as phones of Google and Samsung take them: behind a JPEG, or in a box of a HEIC. */
import { open } from 'node:fs/promises'
import { boxesBetween } from '../../common/iso-file-boxes.ts'
import { readAt } from '../../common/read-at.ts'

/** Marks in the metadata of a JPEG, or in Samsung's directory at its end, of a video that follows. */
const MARKS = /MotionPhoto|MicroVideo|SEFT/
const [HEAD, TAIL] = [262_144, 64]

/** Type of the box of a video in HEIC (Motion photo format 1.0), and of the first box of a video. */
const [VIDEO, FIRST] = ['mpvd', 'ftyp']

/** Where the video of a photo is, in bytes from the beginning of the file; undefined if there is none. */
export async function motionVideoIn(path: string): Promise<{ start: number; end: number } | undefined> {
  await using file = await open(path)
  const { size } = await file.stat()
  const head = await readAt(file, 0, HEAD)
  if (head.toString('latin1', 4, 8) === FIRST) {
    for await (const { type, start, end, whole } of boxesBetween(file, 0, size))
      if (type === VIDEO) return whole ? { start, end } : undefined
    return undefined
  }
  const tail = await readAt(file, Math.max(0, size - TAIL), TAIL)
  if (head.readUInt16BE(0) !== 0xffd8 || !MARKS.test(head.toString('latin1') + tail.toString('latin1')))
    return undefined
  const start = (await readAt(file, 0, size)).lastIndexOf(FIRST) - 4
  if (start < 0) return undefined
  let end = start
  for await (const box of boxesBetween(file, start, size)) {
    // Directories of Samsung follow, which are no boxes.
    if (!box.whole || !/^[a-z0-9]{4}$/.test(box.type)) break
    end = box.end
  }
  return end > start ? { start, end } : undefined
}
