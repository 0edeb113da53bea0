/** Slides of a presentation, for its price. */
import type { Measure, TaskInput } from '../../../catalogue/task.ts'
import { countSlides } from '../../../engines/office/slides.ts'

/** @throws JobFailure corrupt_input; nothing is counted in what is encrypted, or of another format */
export async function measure(input: TaskInput): Promise<Measure> {
  const pages = await countSlides(input.path)
  return pages === undefined ? {} : { pages }
}
