/** Messages about videos that stay videos or become animations. */
export const videos = {
  'video.no_picture': 'The file has sound and no moving picture. Choose MP3 or WAV instead.',
  'video.no_encoder':
    'The ffmpeg found here has none of these encoders: {encoders}. Install a complete build of ffmpeg.',
  'video.encoder_missing':
    'The ffmpeg found here cannot write {wanted}, so the picture became {used}. A complete build of ffmpeg can.',
  'video.card_unused':
    'The graphics card cannot encode this picture in {codec}, or there is none that can, so it was encoded in software.',
  'video.cut_anew':
    'Parts cannot be cut out of this picture for {format} while it stays as it is: that takes ffmpeg 6.1, and frames that need none beyond key frames. So it was encoded again.',
  'video.cut_at_key_frames':
    'The picture stays as it is and can only be cut at key frames, so {seconds} s more are kept. Choose a codec to cut it exactly.',
  'video.encoded_anew': '{format} cannot hold the picture as it is, so it was encoded again.',
  'video.tracks_left_out':
    '{tracks, plural, one {# track of sound or subtitles was left out: the format cannot hold it.} other {# tracks of sound or subtitles were left out: the format cannot hold them.}}',
  'video.other_pictures':
    'Only the first video track was converted. {count, plural, one {Another one was left out} other {# others were left out}}: {tracks}.',
  'video.too_many_frames':
    'That would be {frames} pictures; a video gives at most {limit}. Choose more seconds between them, or a part.',
  'video.too_small':
    'The video cannot become that small: it needs at least about {megabytes} MB. Choose more, a shorter part, or remove the sound.',
  'video.no_bars': 'No black bars were found, so the whole picture was kept.',
  'video.picture_too_small':
    '{codec} needs a picture of at least {width} × {height} pixels. Choose another codec.',
  'video.no_such_subtitles':
    '{tracks, plural, =0 {The video has no subtitles.} one {The video has one track of subtitles.} other {The video has # tracks of subtitles.}} There is no track {track} to draw.',
  'video.drawn_subtitles':
    'These subtitles are pictures, as on discs; only those that are text can be drawn into the video. Choose another track.',
  'video.drawn_left_out': 'Subtitles that are pictures were left out: their times cannot be changed.',
  'video.no_letters':
    'The ffmpeg found here cannot draw subtitles. Install a complete build of ffmpeg, with libass.',
  'video.transparency_lost':
    'The video has transparent parts, which {format} cannot hold as it is written here. WebM keeps them.',
  'video.dolby_vision_lost':
    'What the video says to screens with Dolby Vision was left out of {format}. All screens show it as those without Dolby Vision do.',
  'video.forced_lost':
    '{format} cannot mark subtitles as forced, so choose them in the player. MP4 and MKV keep the mark.',
  'video.chapters_lost':
    'The chapters were left out, for which {format} has no place. MP4, MOV and MKV keep them.',
  'video.cover_lost': 'The cover picture was left out: it could not be put into {format}.',
  'video.joined_left_out':
    '{tracks, plural, one {# track was left out} other {# tracks were left out}}: joining takes the sound that all videos have, and no subtitles.',

  // Messages about subtitles as files, and out of videos.
  'subtitles.none_in_video':
    'The video has no subtitles. To write down what is spoken in it, choose a transcript instead.',
  'subtitles.teletext':
    'The subtitles of the video are Teletext, which is not read. Subtitles that are text or pictures become a file.',
  'subtitles.no_such_track':
    'The video has no track of text subtitles "{wanted}". Choose one of: {tracks}; or all.',
  'subtitles.empty_track': 'There is nothing in the chosen track of subtitles. Choose another one.',
  'subtitles.unread':
    '{count, plural, one {# subtitle that is a picture was left out: no letters were found in it.} other {# subtitles that are pictures were left out: no letters were found in them.}}',
  'subtitles.too_many':
    'The track has more than {limit, number} pictures, which is more than a film has. Cut the video into parts and convert each.',
  'subtitles.assumed_rate':
    'The file does not say in how many frames a second its times count, and 23.976 were assumed. If the subtitles come too early or too late, write {line} as its first line, with the frame rate of the video.',
  'subtitles.unreadable':
    'No subtitles could be read from the file. Check that its text has times, and that it opens in a player.',
} as const
