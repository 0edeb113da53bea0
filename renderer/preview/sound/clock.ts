import { timeText } from '../../forms/trim/time.ts'

/** A time in a media file, in the format of players: `0:07`, `12:34`, `1:02:03`. */
export const clock = (seconds: number): string => timeText(Math.max(0, Math.floor(seconds)))
