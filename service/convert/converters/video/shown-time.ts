/** The first frames are often black or a title, so the frame is taken after this share of the video, within bounds in seconds. */
const SHARE = 0.1
const EARLIEST = 1
const LATEST = 60

/** The time of the frame that stands for a video of this length, in seconds. */
export const shownTime = (seconds: number | null): number =>
  seconds === null ? EARLIEST : Math.min(LATEST, Math.max(EARLIEST, seconds * SHARE))
