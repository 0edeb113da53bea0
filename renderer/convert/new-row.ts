/** Rows as they begin. */
import type { StagedFile } from '../../service/app/types.ts'
import type { Values } from '../forms/schema.ts'
import { kindOfFile } from './kinds.ts'
import type { Row } from './row.ts'

/** Shared by all rows without options, so that those are told to be alike at a glance. */
export const noOptions: Values = {}

/** A row of which nothing is known but what is given. */
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
  wish: null,
  item: null,
  again: false,
  ...given,
})

/** What a row says of a file that the service has. */
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
