/** Rows as they begin. */
import type { StagedFile } from '../../../../service/web/app/types.ts'
import type { Values } from '../../../forms/schema.ts'
import { kindOfFile } from './kinds.ts'
import type { Row } from './row.ts'

/** Shared by all rows without options, so that they can be compared quickly. */
export const noOptions: Values = {}

/** A row about which only the given properties are known. */
export const newRow = (given: Partial<Row> & Pick<Row, 'key' | 'addedAt' | 'name' | 'bytes'>): Row => ({
  relativePath: null,
  intake: 'waiting',
  sent: 0,
  fileId: null,
  file: null,
  format: null,
  formatLabel: null,
  kind: null,
  problem: null,
  target: null,
  options: noOptions,
  pendingTarget: null,
  item: null,
  needsReconversion: false,
  ...given,
})

/** The properties of a row for a staged file. */
export const fromFile = (file: StagedFile): Partial<Row> => ({
  intake: 'staged',
  sent: 1,
  fileId: file.id,
  file,
  name: file.name,
  bytes: file.bytes,
  relativePath: file.relativePath,
  format: file.format,
  formatLabel: file.formatLabel,
  kind: kindOfFile(file),
  problem: file.problem,
})
