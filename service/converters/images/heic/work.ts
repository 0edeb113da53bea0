import type { Output, Task } from '../../../catalogue/task.ts'
import { AVIF, decodeHeif } from '../../../engines/heif/index.ts'
import { release } from '../../../engines/pixels.ts'
import { DAMAGED } from '../write/damage.ts'
import { writeStill } from '../write/still.ts'

export async function convert(task: Task): Promise<Output[]> {
  const { path } = task.input
  const picture = await decodeHeif(path, { onDamage: () => task.warn(DAMAGED) })
  task.progress(0.5)
  if (picture === AVIF) return writeStill(task, { encoded: path })
  const outputs = await writeStill(task, picture)
  release(picture)
  return outputs
}
