import type { ViewedFile } from '../../service/app/types.ts'

/** A file that is looked at, with what the page says of it. */
export interface PreviewedFile extends ViewedFile {
  name: string
  category: string | null
  /** Format key. */
  format: string | null
}
