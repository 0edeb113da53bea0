import { languageTags } from '../../languages/tags.ts'
import packageFile from '../../package.json' with { type: 'json' }
import type { SourceFormat } from './sources.ts'

const ID = 'io.github.refile'
/** Name of the file in /usr/share/metainfo. */
export const METAINFO = `${ID}.metainfo.xml`

const screenshots = {
  'convert-light.png': 'Files waiting for their conversion',
  'results-dark.png': 'Results of a batch',
}

const xmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * What software centres show about the app, as AppStream metadata:
 * https://www.freedesktop.org/software/appstream/docs/chap-Metadata.html
 */
export function metainfo(sources: readonly SourceFormat[]): string {
  const { homepage, license, author, description } = packageFile
  const mimes = [...new Set(sources.map(({ mime }) => mime))].toSorted()
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${ID}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>${license}</project_license>
  <name>Refile</name>
  <summary>Convert files on your own machine</summary>
  <developer id="${ID}"><name>${xmlText(author.name)}</name></developer>
  <description>
    <p>${xmlText(description)}</p>
    <p>Images, documents, audio, video, ebooks, fonts and archives: drop them on the window and choose what they become. Nothing is uploaded.</p>
  </description>
  <launchable type="desktop-id">refile.desktop</launchable>
  <url type="homepage">${homepage}</url>
  <url type="bugtracker">${homepage}/issues</url>
  <screenshots>
${Object.entries(screenshots)
  .map(
    ([name, caption], index) => `    <screenshot${index === 0 ? ' type="default"' : ''}>
      <caption>${caption}</caption>
      <image>${homepage.replace('github.com', 'raw.githubusercontent.com')}/v${packageFile.version}/docs/images/${name}</image>
    </screenshot>`,
  )
  .join('\n')}
  </screenshots>
  <content_rating type="oars-1.1"/>
  <provides>
    <binary>refile</binary>
${mimes.map(mime => `    <mediatype>${mime}</mediatype>`).join('\n')}
  </provides>
  <languages>
${Object.keys(languageTags)
  .map(tag => `    <lang>${tag}</lang>`)
  .join('\n')}
  </languages>
</component>
`
}
