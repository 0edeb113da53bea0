/** Messages about videos that stay videos or become animations. */
export const videos = {
  'video.no_picture': 'The file has sound and no moving picture. Choose MP3 or WAV instead.',
  'video.no_encoder':
    'The ffmpeg found here has none of these encoders: {encoders}. Install a complete build of ffmpeg.',
  'video.encoder_missing':
    'The ffmpeg found here cannot write {wanted}, so the picture became {used}. A complete build of ffmpeg can.',
  'video.encoded_anew': '{format} cannot hold the picture as it is, so it was encoded again.',
  'video.tracks_left_out':
    '{tracks, plural, one {# track of sound or subtitles was left out: the format cannot hold it.} other {# tracks of sound or subtitles were left out: the format cannot hold them.}}',
  'video.too_small':
    'The video cannot become that small: it needs at least about {megabytes} MB. Choose more, a shorter part, or remove the sound.',
} as const
