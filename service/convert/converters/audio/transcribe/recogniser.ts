/** Chooses the recogniser: the best installed model for the mode and language, otherwise the system's. */

import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { modelFolders } from '../../../../shared/model-folders.ts'
import type { Task } from '../../../catalogue/task.ts'
import { available, pocketsphinx } from '../../../engines/media/pocketsphinx/pocketsphinx.ts'
import type { Recogniser } from '../../../engines/media/speech/speech.ts'
import { whisper } from '../../../engines/media/whisper/whisper.ts'
import { chooseModel, speechModels } from '../../../models/list.ts'
import { installedModels } from '../../../models/model.ts'
import { languages, type TranscriptionOptions } from './options.ts'

/** @throws JobFailure `transcription.model_not_installed`, naming the model to download */
export async function openRecogniser(
  task: Pick<Task, 'cores' | 'folder' | 'warn'>,
  { mode, language }: Pick<TranscriptionOptions, 'mode' | 'language'>,
): Promise<Recogniser> {
  const installed = await installedModels(modelFolders(), speechModels)
  const chosen = chooseModel(installed, mode, language)
  const recommended = speechModels.find(model => model.recommended.includes(mode))?.name ?? ''
  if (chosen) {
    const { model } = chosen
    if (mode !== 'fast' && /^(tiny|base)/.test(model.id)) {
      task.warn(message('speech.small_model', { model: model.name, recommended }))
    }
    const recogniser = await whisper(chosen.path, model.name, task.cores)
    if (!model.englishOnly) return recogniser
    const note = message('speech.english_only_model')
    // Who named English knows.
    if (language !== 'en') task.warn(note)
    return { ...recogniser, note }
  }
  const english = language === 'en' || language === 'auto'
  if (english && (await available())) {
    const recogniser = pocketsphinx(task.folder)
    if (recogniser.note) task.warn(recogniser.note)
    if (mode === 'quality') task.warn(message('speech.basic_quality', { recommended }))
    return recogniser
  }
  throw new JobFailure(
    'transcription.model_not_installed',
    installed.length > 0
      ? message('speech.language_unknown', { language: languages[language] ?? language, recommended })
      : message('speech.no_model', { recommended }),
  )
}
