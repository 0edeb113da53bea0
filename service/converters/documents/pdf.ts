import { defineConverters, perPage } from '../../catalogue/converter.ts'
import { flag, group } from '../../catalogue/options.ts'

const ocr = group('Text recognition', {
  enabled: flag('Recognise the text of scanned pages', { default: false }),
})

export default [
  ...defineConverters({
    category: 'documents',
    source: 'pdf',
    targets: ['docx', 'md', 'pdfa'],
    engine: 'pdf',
    costing: perPage(5),
    options: { ocr },
    // A searchable PDF/A is the same conversion with text recognition on by default.
    editions: [{ key: 'pdf-ocr', target: 'pdfa', options: { ocr: { enabled: true } } }],
  }),
  ...defineConverters({
    category: 'documents',
    source: 'pdf',
    targets: ['jpg', 'png'],
    engine: 'pdf',
    costing: perPage(10),
  }),
]
