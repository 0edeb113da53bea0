/**
 * The text of a version's section of a changelog (https://keepachangelog.com/en/1.1.0/), without its heading.
 * @throws Error if the version has no section, no date, or nothing in it
 */
export function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find(text => text.startsWith(`[${version}]`))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section of ${version}.`)
  const [heading = '', ...lines] = section.split('\n')
  if (!/^\[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new Error(`The section of ${version} in CHANGELOG.md has no date.`)
  const text = lines.join('\n').trim()
  if (text === '') throw new Error(`The section of ${version} in CHANGELOG.md is empty.`)
  return text
}
