import type { Output, Task } from '../../catalogue/task.ts'
import { AVIF, decodeHeif } from '../../engines/heif/index.ts'
import { release } from '../../engines/pixels.ts'
import { writeStill } from './write.ts'

export async function convert(task: Task): Promise<Output[]> {
  const { path } = task.input
  const picture = await decodeHeif(path, {
    signal: task.signal,
    onDamage: () => task.warn('The picture is slightly damaged. What could be read of it was converted.'),
  })
  task.progress(0.5)
  if (picture === AVIF) return writeStill(task, { encoded: path })
  const outputs = await writeStill(task, picture)
  release(picture)
  return outputs
}
