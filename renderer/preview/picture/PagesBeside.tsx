import { SimpleGrid, Stack } from '@mantine/core'
import { text } from '../../messages/text.ts'
import type { PictureContent } from '../content/content.ts'
import classes from './PagesBeside.module.css'

type Props = Record<'before' | 'after', PictureContent> & { name: string }

/** Two pages side by side, for text that has new lines after a conversion. */
export const PagesBeside = ({ before, after, name }: Props) => (
  <SimpleGrid cols={2} spacing={12} p="12px 12px 8px" className="preview-side">
    <Page look={before} label={text('preview.before')} alt={name} />
    <Page look={after} label={text('preview.after')} alt={text('preview.after')} />
  </SimpleGrid>
)

const Page = ({ look, label, alt }: { look: PictureContent; label: string; alt: string }) => (
  <Stack component="figure" gap={6} align="center" miw={0} mih={0} m={0} aria-label={label}>
    <img className={classes.picture} src={look.file} alt={alt} draggable={false} />
    <figcaption className="fine">{label}</figcaption>
  </Stack>
)
