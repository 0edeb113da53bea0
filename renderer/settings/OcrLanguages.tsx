import { text } from '../messages/text.ts'
import { Models } from './Models.tsx'
import { useOcrLanguages } from './models.ts'

export const OcrLanguages = () => (
  <Models
    useStore={useOcrLanguages}
    title={text('ocr.title')}
    note={text('ocr.note')}
    input={{ label: text('ocr.addInput'), accept: '.tgz' }}
    facts={({ id }) => [id]}
    compact
  />
)
