import type { SpeechModel } from '../../service/web/app/types.ts'
import { text, textIfAny } from '../messages/text.ts'
import { Models } from './Models.tsx'
import { useModels, usePacks } from './models.ts'

export const SpeechModels = () => (
  <Models
    useStore={useModels}
    title={text('models.title')}
    note={text('models.note')}
    input={{ label: text('models.addInput'), accept: '.bin' }}
    facts={factsOf}
  />
)

function factsOf({ englishOnly, licence, recommended }: SpeechModel): string[] {
  const modes = recommended.map(mode => textIfAny(`models.modes.${mode}`) ?? mode).join(', ')
  return [
    englishOnly ? text('models.english') : text('models.multilingual'),
    text('models.licence', { licence }),
    ...(modes ? [text('models.recommended', { modes })] : []),
  ]
}

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
