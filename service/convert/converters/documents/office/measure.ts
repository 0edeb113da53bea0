/** Counts the slides of a presentation, for its price. */
import type { Measure, TaskInput } from '../../../catalogue/task.ts'
import { countSlides } from '../../../engines/documents/office/slides.ts'

/** @throws JobFailure corrupt_input; encrypted files and other formats are not counted */
export async function measure(input: TaskInput): Promise<Measure> {
  const pages = await countSlides(input.path)
  return pages === undefined ? {} : { pages }
}
