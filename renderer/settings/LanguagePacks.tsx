import { text } from '../messages/text.ts'
import { Models } from './Models.tsx'
import { useLanguagePacks } from './models.ts'

export const LanguagePacks = () => (
  <Models
    useStore={useLanguagePacks}
    title={text('ocr.title')}
    note={text('ocr.note')}
    input={{ label: text('ocr.addInput'), accept: '.tgz' }}
    facts={({ id }) => [id]}
    compact
  />
)
