import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { ViewedFile } from '../../../service/web/app/types.ts'
import { text } from '../../messages/text.ts'
import { mediaUrl } from '../client.ts'
import { clock } from './clock.ts'
import type { Cue } from './segments.ts'
import classes from './Transcript.module.css'

interface Props {
  /** The media file. */
  file: ViewedFile
  segments: readonly Cue[]
}

/** The transcript beside the media file: choosing a segment plays it, and the segment being played is marked. */
export function Transcript({ file, segments }: Props) {
  const [player, setPlayer] = useState<HTMLAudioElement | null>(null)
  const [seconds, setSeconds] = useState(0)
  const [isPlayable, setPlayable] = useState(true)
  const play = (from: number) => {
    if (!player) return
    player.currentTime = from
    setSeconds(from)
    void player.play().catch(() => {})
  }
  return (
    <Stack gap={8} p={10} mah="100%" className="preview-side">
      {isPlayable ? (
        // biome-ignore lint/a11y/useMediaCaption: its words stand below
        <audio
          ref={setPlayer}
          style={{ flex: 'none', width: '100%', height: 40 }}
          src={mediaUrl(file)}
          controls
          preload="metadata"
          onTimeUpdate={event => setSeconds(event.currentTarget.currentTime)}
          onError={() => setPlayable(false)}
        />
      ) : (
        <p className="aside">{text('preview.notPlayed')}</p>
      )}
      <ol className={`${classes.segments} plain-list`} aria-label={text('preview.transcript')}>
        {segments.map(segment => (
          <li key={segment.start}>
            <button
              type="button"
              className={classes.segment}
              aria-current={seconds >= segment.start && seconds < segment.end ? 'true' : undefined}
              disabled={!isPlayable}
              onClick={() => play(segment.start)}
            >
              <span className={classes.time}>{clock(segment.start)}</span>
              <bdi>{segment.text}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </Stack>
  )
}
