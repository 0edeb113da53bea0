import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { tooManyPixels } from '../../common/limits.ts'

/** Patterns in libvips' errors and the failures they mean, the most specific first. */
const meanings: [RegExp, (error: unknown) => JobFailure][] = [
  [/no space left|disk full|quota exceeded|error: file too large/i, () => new JobFailure('jobs.disk_full')],
  // What cannot be written, found or cut out of a picture is not the fault of the file.
  [
    /write error|unable to open for write|file is missing|bad extract area|out of memory|cannot allocate/i,
    cause => new JobFailure('jobs.engine_crashed', undefined, { cause }),
  ],
  [/pixel limit|image too large|dimensions? too large|too many pixels/i, () => tooManyPixels()],
  // Of AVIF libheif reads fewer pixels than others, and 256 parts.
  [
    /maximum image size \d+/,
    error => tooManyPixels(Number(/maximum image size (\d+)/.exec(String(error))?.[1])),
  ],
  [/security limit/i, () => new JobFailure('jobs.too_large')],
  [
    /too large for the (\w+) format|will exceed/i,
    () => new JobFailure('jobs.too_large', message('picture.too_many_pixels_for_target')),
  ],
  [
    /unsupported (?!image format)|not supported|not configured|unimplemented|can not handle image/i,
    () => new JobFailure('jobs.unsupported_input', message('picture.unsupported')),
  ],
]

/** Converts an error of sharp to the failure of a job; an unknown error means a damaged file. */
export function sharpFailure(error: unknown): JobFailure {
  if (error instanceof JobFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  const meaning = meanings.find(([pattern]) => pattern.test(message))
  return meaning ? meaning[1](error) : new JobFailure('jobs.corrupt_input', undefined, { cause: error })
}
