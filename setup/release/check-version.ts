import { sectionOf } from './changelog.ts'
import { readChangelog, step, version } from './step.ts'

/**
 * @param ref full name of what is released; a branch in a rehearsal
 * @throws Error unless the tag, package.json and the changelog agree on the version
 */
export function checkVersion(ref: string, version: string, changelog: string): void {
  const tag = /^refs\/tags\/(.*)$/.exec(ref)?.[1]
  if (tag !== undefined && tag !== `v${version}`)
    throw new Error(`The tag is ${tag}, but package.json says ${version}.`)
  sectionOf(changelog, version)
}

if (import.meta.main)
  await step(() => {
    checkVersion(process.env.GITHUB_REF ?? '', version, readChangelog())
    return `This is ${version}.`
  })
