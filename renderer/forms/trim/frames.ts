/** Times of the frames of a video, which are counted from 0. */

/** The frame that is shown at a time in seconds; a player's times are never quite exact. */
export const frameAt = (seconds: number, fps: number): number => Math.max(0, Math.floor(seconds * fps + 0.01))

/** A time in the middle of a frame, to which a player is sent so that it shows this one. */
export const middleOf = (frame: number, fps: number): number => (Math.max(0, frame) + 0.5) / fps

/** When a frame begins, in whole milliseconds and never later, so that cutting there keeps it, or leaves out all from it on. */
export const beginOf = (frame: number, fps: number): number => Math.floor((frame / fps) * 1000 + 1e-6) / 1000
