import type { ViewedFile } from '../../service/web/app/types.ts'

/** A previewed file with the page's data about it. */
export interface PreviewedFile extends ViewedFile {
  name: string
  category: string | null
  /** Format key. */
  format: string | null
}
