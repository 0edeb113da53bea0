import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sectionOf } from './changelog.ts'
import { homepage, out, readChangelog, step, version } from './step.ts'

/** The notes of a release: what changed, and how to verify the download. */
export const notesOf = (changelog: string, version: string): string =>
  `${sectionOf(changelog, version)}

[How to install, and how to verify your download](${homepage}/blob/v${version}/docs/install.md)
`

if (import.meta.main)
  await step(() => writeFileSync(join(out, 'NOTES.md'), notesOf(readChangelog(), version)))
