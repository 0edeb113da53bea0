import { text } from '../messages/text.ts'
import { Models } from './Models.tsx'
import { usePacks } from './models.ts'

export const Packs = () => (
  <Models
    useStore={usePacks}
    title={text('ocr.title')}
    note={text('ocr.note')}
    input={{ label: text('ocr.addInput'), accept: '.tgz' }}
    facts={({ id }) => [id]}
    compact
  />
)
