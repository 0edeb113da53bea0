import { readFile } from 'node:fs/promises'
import type { Work } from '../../../catalogue/task.ts'
import { readPsd } from '../../../engines/psd/index.ts'
import { writeStill } from '../write/still.ts'

export const convert: Work['convert'] = async task => {
  task.progress(0, 'preparing')
  const pixels = readPsd(await readFile(task.input.path), task.warn)
  task.progress(0.5, 'converting')
  return writeStill(task, pixels)
}
