/** Makes a media file smaller in its own format. */
import { stat } from 'node:fs/promises'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { copyContent } from '../../../engines/common/copy-content.ts'
import type { AudioOptions } from '../options.ts'
import { convert as convertRecording } from '../work.ts'

/** Re-encoding a lossy media file costs quality, which is only worth it if the file becomes this much smaller. */
const WORTHWHILE = 0.9

export async function convert(task: Task<AudioOptions>): Promise<Output[]> {
  const outputs = await convertRecording(task)
  const [output] = outputs
  if (!output || outputs.length > 1 || !isWhole(task.options)) return outputs
  // A size that was asked for is met, however little is saved.
  if ('targetSize' in task.options.audio && task.options.audio.targetSize !== undefined) return outputs
  const { size } = await stat(output.path)
  if (size < task.input.bytes * WORTHWHILE) return outputs
  await copyContent(task.input.path, output.path)
  task.warn(message('same.kept'))
  return outputs
}

/** Whether the file size is the only thing that should change. */
const isWhole = ({ audio, trim, loudness, metadata }: AudioOptions): boolean =>
  trim.start === 0 &&
  trim.end === undefined &&
  !loudness.normalize &&
  !metadata.strip &&
  audio.channels === 'auto' &&
  (!('sampleRate' in audio) || audio.sampleRate === 'auto')
