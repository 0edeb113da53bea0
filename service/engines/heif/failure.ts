import { JobFailure } from '../../errors.ts'

export const corrupt = (): JobFailure =>
  new JobFailure('jobs.corrupt_input', 'The HEIC file is damaged or incomplete and cannot be read.')

export const tooManyPixels = (): JobFailure =>
  new JobFailure('jobs.too_large', 'The picture has more than 400 megapixels. Make it smaller first.')
