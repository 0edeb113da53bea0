import { choice, flag, type OptionsOf, only } from '../../catalogue/options.ts'
import { nameEncoding, password } from '../documents/options.ts'

const levels = { fast: 'Fast', normal: 'Normal', small: 'Smallest' }

const compression = choice('Compression', levels, {
  description: 'Smaller archives take longer to make.',
  default: 'normal',
})

const zipCompression = choice(
  'Compression',
  { store: 'None', ...levels },
  { description: 'Smaller archives take longer to make.', default: 'normal' },
)

const compressionOf = (target: string) => {
  if (target === 'zip') return zipCompression
  return (target === '7z' || target.startsWith('tar-')) && compression
}

const deterministic = flag('Without times', {
  description: 'Leaves out when files were changed, so that the same content always makes the same archive.',
  default: false,
})

const optionsOf = (isProtectable: boolean, hasUnicodeNames: boolean) => (target: string) =>
  only({
    password: isProtectable && password,
    compression: compressionOf(target),
    encoding: !hasUnicodeNames && nameEncoding,
    deterministic: target !== 'contents' && deterministic,
  })

/** Options of archives that may be protected by a password, by target. */
export const protectableOptions = optionsOf(true, false)
/** Those of 7z, whose names are always in Unicode. */
export const sevenZipOptions = optionsOf(true, true)
/** Options of archives without passwords, by target. */
export const plainOptions = optionsOf(false, false)

export type ArchiveOptions = OptionsOf<ReturnType<typeof protectableOptions>>
