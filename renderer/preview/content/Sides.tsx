import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PreviewContent } from '../../../service/convert/catalogue/preview.ts'
import type { Preview } from '../../../service/web/app/types.ts'
import { text } from '../../messages/text.ts'
import { size } from '../../ui/format.ts'
import type { PreviewedFile } from '../file.ts'
import pageClasses from '../picture/PagesBeside.module.css'
import { PictureCompare } from '../picture/PictureCompare.tsx'
import { SoundCompare } from '../sound/SoundCompare.tsx'
import { segmentsOf } from '../sound/segments.ts'
import { Transcript } from '../sound/Transcript.tsx'
import type { EntriesContent, PictureContent, TextContent } from './content.ts'
import entryClasses from './Entries.module.css'
import { FontSample } from './FontSample.tsx'
import { type Side, SideChoice } from './SideChoice.tsx'
import classes from './Sides.module.css'
import textClasses from './TextSide.module.css'

interface Props {
  preview: Preview
  file: PreviewedFile
  /** Request key of the target; null if the file is shown alone. */
  target: string | null
}

/** Targets whose text takes new lines and pages, so that nothing corresponds to its old place. */
const flowing = new Set(['docx', 'odt', 'rtf', 'html', 'epub', 'excel', 'xlsx', 'ods'])

/** Both sides of a preview, compared in whatever way is possible. */
export function Sides({ preview: { before, after }, file, target }: Props) {
  if (before?.kind === 'picture' && after?.kind === 'picture') {
    if (target && flowing.has(target)) return <PagesBeside before={before} after={after} name={file.name} />
    return <PictureCompare before={before} after={after} name={file.name} />
  }
  if (before?.kind === 'sound' && after?.kind === 'sound')
    return <SoundCompare before={before} after={after} />
  if (before?.kind === 'sound' && after?.kind === 'text') {
    const segments = segmentsOf(after.text)
    if (segments.length > 0) return <Transcript file={file} segments={segments} />
  }
  if (before?.kind === 'entries' && after?.kind === 'entries') return <Entries look={after} />
  return <OneOfTwo before={before} after={after} name={file.name} hasTarget={target !== null} />
}

/** One side at a time, if they cannot be overlaid. */
function OneOfTwo({
  before,
  after,
  name,
  hasTarget,
}: {
  before: PreviewContent | null
  after: PreviewContent | null
  name: string
  hasTarget: boolean
}) {
  const [side, choose] = useState<Side>(after ? 'after' : 'before')
  const shown = (side === 'after' ? after : before) ?? after ?? before
  const hasBoth = before !== null && after !== null
  return (
    <div className={`${classes.one} preview-side`}>
      {shown && <One look={shown} name={name} />}
      {hasBoth && hasTarget && <SideChoice side={side} onChoose={choose} />}
    </div>
  )
}

function One({ look, name }: { look: PreviewContent; name: string }) {
  switch (look.kind) {
    case 'picture':
      return <PictureCompare before={look} after={null} name={name} />
    case 'sound':
      return <SoundCompare before={look} after={null} />
    case 'text':
      return <TextSide look={look} />
    case 'font':
      return <FontSample key={look.file} look={look} />
    case 'entries':
      return <Entries look={look} />
  }
}

/** The beginning of a text. */
const TextSide = ({ look }: { look: TextContent }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by the keyboard
  <section className={textClasses.side} tabIndex={0} aria-label={text('preview.title')}>
    <pre className={textClasses.text} dir="auto">
      {look.text}
    </pre>
    {!look.isWhole && (
      <Text className="aside" mt={8}>
        {text('preview.textGoesOn')}
      </Text>
    )}
  </section>
)

/** Two pages side by side, for text that has new lines after a conversion. */
const PagesBeside = ({
  before,
  after,
  name,
}: Record<'before' | 'after', PictureContent> & { name: string }) => (
  <SimpleGrid cols={2} spacing={12} p="12px 12px 8px" className="preview-side">
    <Page look={before} label={text('preview.before')} alt={name} />
    <Page look={after} label={text('preview.after')} alt={text('preview.after')} />
  </SimpleGrid>
)

const Page = ({ look, label, alt }: { look: PictureContent; label: string; alt: string }) => (
  <Stack component="figure" gap={6} align="center" miw={0} mih={0} m={0} aria-label={label}>
    <img className={pageClasses.picture} src={look.file} alt={alt} draggable={false} />
    <figcaption className="fine">{label}</figcaption>
  </Stack>
)

/** The first entries of an archive. */
function Entries({ look: { entries, count } }: { look: EntriesContent }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard
    <section className={entryClasses.entries} tabIndex={0} aria-label={text('preview.entries', { count })}>
      <p className={entryClasses.count}>{text('preview.entries', { count })}</p>
      <ul className="plain-list">
        {entries.map(({ path, bytes }) => (
          <Group key={path} component="li" gap={12} py={2} justify="space-between" wrap="nowrap">
            <bdi className="ellipsis" title={path}>
              {path}
            </bdi>
            {bytes !== null && <span className={entryClasses.bytes}>{size(bytes)}</span>}
          </Group>
        ))}
      </ul>
      {count > entries.length && (
        <p className={entryClasses.count}>{text('preview.moreEntries', { count: count - entries.length })}</p>
      )}
    </section>
  )
}
