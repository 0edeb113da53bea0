import type { StagedFile, TargetChoice } from '../../../../../service/web/app/types.ts'
import { newRow } from '../new-row.ts'
import type { Row } from '../row.ts'

/** A target for tests: of a JPEG by default. */
export const testChoice = (target: string, over: Partial<TargetChoice> = {}): TargetChoice => ({
  target,
  label: target.toUpperCase(),
  job: `image.jpg-to-${target}`,
  category: 'images',
  credits: 1,
  variants: null,
  missing: false,
  likely: false,
  maxFileSizeBytes: 1000,
  ...over,
})

/** A staged file for tests: a JPEG of 100 bytes by default. */
export const testFile = (id: string, over: Partial<StagedFile> = {}): StagedFile => ({
  id,
  name: `${id}.jpg`,
  bytes: 100,
  format: 'jpg',
  formatLabel: 'JPEG',
  facts: {},
  targets: [testChoice('ico'), testChoice('webp'), testChoice('avif', { missing: true })],
  relativePath: null,
  pages: null,
  minutes: null,
  addedAt: 1,
  problem: null,
  ...over,
})

/** A row for tests: a staged JPEG without a target by default. */
export function testRow(key: string, over: Partial<Row> = {}): Row {
  const file = over.file === undefined ? testFile(key) : over.file
  return newRow({
    key,
    addedAt: 1,
    name: `${key}.jpg`,
    bytes: file?.bytes ?? 100,
    intake: 'staged',
    sent: 1,
    fileId: key,
    file,
    format: file?.format ?? null,
    formatLabel: file?.formatLabel ?? null,
    kind: file?.targets[0]?.category ?? null,
    ...over,
  })
}
