import { Text } from '@mantine/core'
import { useState } from 'react'
import type { PreviewContent } from '../../../service/convert/catalogue/preview.ts'
import type { Preview } from '../../../service/web/app/types.ts'
import { text } from '../../messages/text.ts'
import type { PreviewedFile } from '../file.ts'
import { PagesBeside } from '../picture/PagesBeside.tsx'
import { PictureCompare } from '../picture/PictureCompare.tsx'
import { SoundCompare } from '../sound/SoundCompare.tsx'
import { segmentsOf } from '../sound/segments.ts'
import { Transcript } from '../sound/Transcript.tsx'
import type { TextContent } from './content.ts'
import { Entries } from './Entries.tsx'
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
