/** Measures several media files that are joined, for their price. */
import { minutesIn } from '../../../catalogue/bundle.ts'
import type { Measure, TaskInput } from '../../../catalogue/task.ts'

export const measure = async ({ path }: TaskInput): Promise<Measure> => ({ minutes: await minutesIn(path) })
