import { flag, group, type OptionProperties } from '../../catalogue/options.ts'

const metadata = group('Metadata', {
  strip: flag('Remove tags, cover and chapters', { default: false }),
})

/** Options every audio conversion has. */
export const audioOptions = (_target: string): OptionProperties => ({ metadata })
