import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { text } from '../../messages/text.ts'
import { duration } from '../../ui/format.ts'
import { useEachFrame } from '../../ui/useEachFrame.ts'
import type { SoundContent } from '../content/content.ts'
import { type Side, SideChoice } from '../content/SideChoice.tsx'
import { clock } from './clock.ts'
import { Waveform } from './Waveform.tsx'

/** An excerpt before and after: one player, which continues at the same position when the side is changed. */
export function SoundCompare({ before, after }: { before: SoundContent; after: SoundContent | null }) {
  const players = useRef<Record<Side, HTMLAudioElement | null>>({ before: null, after: null })
  const [side, setSide] = useState<Side>(after ? 'after' : 'before')
  const [isPlaying, setPlaying] = useState(false)
  const [seconds, setSeconds] = useState(0)
  const look = side === 'after' && after ? after : before
  const player = () => players.current[side === 'after' && after ? 'after' : 'before']
  useEachFrame(isPlaying, () => setSeconds(players.current[side]?.currentTime ?? 0))

  const seek = (to: number) => {
    const current = player()
    if (current) current.currentTime = to
    setSeconds(to)
  }
  const toggle = () => {
    const current = player()
    if (!current) return
    if (isPlaying) current.pause()
    else void current.play().catch(() => setPlaying(false))
  }
  const change = (next: Side) => {
    const [from, to] = [players.current[side], players.current[next]]
    setSide(next)
    if (!from || !to || next === side) return
    to.currentTime = from.currentTime
    if (isPlaying) {
      void to.play().catch(() => setPlaying(false))
      from.pause()
    }
  }
  const audio = (of: Side, { file }: SoundContent) => (
    // biome-ignore lint/a11y/useMediaCaption: an excerpt of a person's own media file, of which no words are known
    <audio
      ref={element => {
        players.current[of] = element
      }}
      src={file}
      preload="auto"
      onPlay={() => setPlaying(true)}
      onPause={() => of === side && setPlaying(false)}
      onEnded={() => of === side && setPlaying(false)}
    />
  )
  return (
    <Stack gap={10} justify="center" p={12} className="preview-side">
      {audio('before', before)}
      {after && audio('after', after)}
      <Waveform peaks={look.peaks} seconds={seconds} total={look.seconds} onSeek={seek} />
      <Group gap={12} justify="center" wrap="nowrap">
        <ActionIcon
          size="lg"
          radius="xl"
          aria-label={text(isPlaying ? 'preview.pause' : 'preview.play')}
          title={text(isPlaying ? 'preview.pause' : 'preview.play')}
          onClick={toggle}
        >
          {isPlaying ? (
            <IconPlayerPauseFilled size={18} aria-hidden="true" />
          ) : (
            <IconPlayerPlayFilled size={18} aria-hidden="true" />
          )}
        </ActionIcon>
        {after && <SideChoice side={side} onChoose={change} />}
      </Group>
      <Text className="fine" ta="center">
        {text('preview.excerpt', { from: clock(look.from), seconds: duration(look.seconds) })}
      </Text>
    </Stack>
  )
}
