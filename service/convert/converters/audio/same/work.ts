/** Makes a media file smaller in its own format. */
import { stat } from 'node:fs/promises'
import { message } from '../../../../shared/messages/message.ts'
import { isDefault } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { copyContent } from '../../../engines/common/copy-content.ts'
import { isBrokenOff } from '../../../engines/media/ffmpeg/recording.ts'
import { type AudioOptions, audioOptions } from '../options.ts'
import { openSource } from '../source.ts'
import { convert as convertRecording } from '../work.ts'

/** Re-encoding a lossy media file costs quality, which is only worth it if the file becomes this much smaller. */
const WORTHWHILE = 0.9

export async function convert(task: Task<AudioOptions>): Promise<Output[]> {
  const outputs = await convertRecording(task)
  const [output] = outputs
  if (!output || outputs.length > 1 || !isDefault(audioOptions(task.target), task.options, OF_SIZE))
    return outputs
  // A size that was asked for is met, however little is saved.
  if ('targetSize' in task.options.audio && task.options.audio.targetSize !== undefined) return outputs
  const { size } = await stat(output.path)
  if (size < task.input.bytes * WORTHWHILE) return outputs
  // What breaks off is not kept with a header that promises more.
  if (isBrokenOff((await openSource(task)).media)) return outputs
  await copyContent(task.input.path, output.path)
  task.warn(message('same.kept'))
  return outputs
}

/** Options that say how large the file becomes, and one that matters only with another. */
const OF_SIZE = ['bitrate', 'quality', 'encoding', 'targetSize', 'target']
