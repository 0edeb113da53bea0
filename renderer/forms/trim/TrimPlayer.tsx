import { ActionIcon, Box, Button, Stack } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
} from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { text } from '../../messages/text.ts'
import { useEachFrame } from '../../ui/useEachFrame.ts'
import type { PlayedVideo } from '../surroundings.ts'
import { beginOf, frameAt, middleOf } from './frames.ts'
import classes from './TrimPlayer.module.css'
import { timeText } from './time.ts'

interface Props {
  video: PlayedVideo
  /** Length in seconds. */
  total: number
  /** Moves the beginning, 0, or the end, 1. */
  onMove: (nth: 0 | 1, seconds: number) => void
}

const icon = { size: 16, 'aria-hidden': true } as const

/** The video itself, moved frame by frame to where it is cut; nothing if the browser cannot play it. */
export function TrimPlayer({ video: { url, fps }, total, onMove }: Props) {
  const player = useRef<HTMLVideoElement>(null)
  const [seconds, setSeconds] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [cannotPlay, setCannotPlay] = useState(false)
  useEachFrame(isPlaying, () => setSeconds(player.current?.currentTime ?? 0))

  if (cannotPlay) return null
  const frame = frameAt(seconds, fps)
  const step = (frames: 1 | -1) => {
    const current = player.current
    if (!current) return
    current.pause()
    const to = Math.min(middleOf(frameAt(current.currentTime, fps) + frames, fps), total)
    current.currentTime = to
    setSeconds(to)
  }
  const toggle = () => {
    const current = player.current
    if (!current) return
    if (isPlaying) current.pause()
    else void current.play().catch(() => setPlaying(false))
  }
  const button = (label: string, symbol: ReactNode, onClick: () => void) => (
    <ActionIcon variant="default" size={32} aria-label={label} title={label} onClick={onClick}>
      {symbol}
    </ActionIcon>
  )
  return (
    <Stack gap={8} mb={10}>
      {/* biome-ignore lint/a11y/useMediaCaption: a person's own video, of which no words are known */}
      <video
        ref={player}
        className={classes.picture}
        src={url}
        preload="auto"
        playsInline
        onError={() => setCannotPlay(true)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onSeeked={() => setSeconds(player.current?.currentTime ?? 0)}
      />
      <div className={classes.controls} dir="ltr">
        {button(text('form.frameBack'), <IconChevronLeft {...icon} />, () => step(-1))}
        {button(
          text(isPlaying ? 'preview.pause' : 'preview.play'),
          isPlaying ? <IconPlayerPauseFilled {...icon} /> : <IconPlayerPlayFilled {...icon} />,
          toggle,
        )}
        {button(text('form.frameForward'), <IconChevronRight {...icon} />, () => step(1))}
        <Box
          component="span"
          className="remark numbers"
          ms="auto"
          role="timer"
          aria-label={text('form.frameTime')}
        >
          {timeText(beginOf(frame, fps))}
        </Box>
      </div>
      <div className={classes.marks}>
        <Button size="compact-sm" variant="default" onClick={() => onMove(0, beginOf(frame, fps))}>
          {text('form.startHere')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onMove(1, Math.min(total, beginOf(frame + 1, fps)))}
        >
          {text('form.endHere')}
        </Button>
      </div>
    </Stack>
  )
}
