/** Messages about audio and video, beyond the general reasons why they cannot be converted. */
export const media = {
  'recording.points_elsewhere':
    'The file is not a recording of the kind its name says; it may be a playlist that points to other files. Convert those files instead.',
  'recording.unknown_codec':
    'The file uses a codec that cannot be decoded. Convert it to a common format with the program that made it.',
  'recording.codec_not_read':
    'The file uses the codec {codec}, which is not read here. Convert it to a common format with the program that made it.',
  'recording.no_sound': 'No sound could be read from the file. Check that it plays elsewhere.',
  'recording.nothing_left':
    'Nothing is left of the recording between the chosen start and end. Choose other times.',
  'recording.no_such_track': 'The file has no audio track "{wanted}". Choose one of: {tracks}.',
  'recording.too_many_channels':
    'The recording has {channels} channels, more than can become {format}. Convert it to WAV, or mix it down first.',
  'recording.too_many_chapters': 'The audiobook has {chapters} chapters; at most {limit} can be split.',
  'recording.chapters_left_out':
    'The chapters are left out, since they begin elsewhere without the silence. A file for each chapter keeps them.',
  'recording.no_chapters': 'The audiobook has no chapters, so it was converted into one file.',
  'recording.packets_copied':
    '{packets, plural, one {# damaged packet of the recording was copied as it is and may sound wrong.} other {# damaged packets of the recording were copied as they are and may sound wrong.}}',
  'recording.packets_skipped':
    '{packets, plural, one {# damaged packet of the recording was skipped.} other {# damaged packets of the recording were skipped.}}',
  'recording.damaged_part': 'A part of {name} is damaged.',
  'recording.sound_missing':
    'The recording is damaged: about {seconds} s of its sound cannot be read, and are missing in the new file.',
  'recording.ends_early':
    'The recording ends early: it should last {expected}, but only {read} could be read.',
  'recording.ends_at_once':
    'The recording ends early: it should last {expected}, but less than a second could be read.',
  'recording.cut_off': 'The end of the file is missing, and the recording may have been longer.',
  'recording.bits_lost':
    'The recording has {from} bits a sample, and the new file {to}: the lowest ones, far below hearing, are lost.',
  'recording.clipped':
    'The recording goes {decibels} dB over full scale, and what is over it was cut off. Even out the loudness to avoid that.',
  'recording.loudness_missed':
    'The loudness is {reached} LUFS instead of {target}: more would have distorted the sound, since peaks have to stay below {ceiling} dBTP.',
  'recording.peaks_over':
    'The highest peak is {peak} dBTP instead of at most {ceiling}, because the encoding raises it.',
  'recording.loudness_not_measured':
    'The recording is too quiet or too short to measure its loudness, which was left as it is.',
  'recording.too_large_for_aiff':
    'The recording is too long for AIFF, which holds at most 4 GB. Choose WAV or FLAC, or a part of it.',
  'recording.long_ringtone':
    'iPhones take ringtones of at most {limit} seconds. Choose a part of the recording.',
  'recording.too_large_for_tags': 'The file is too large for tags, so it has none.',
  'recording.cover_left_out':
    'The cover was left out: with it, the size asked for would leave too little room for the sound.',
  'recording.tags_not_written': 'The tags could not be written. Convert without them.',

  // Messages about speech recognition.
  'speech.damaged_model':
    'The installed speech model is damaged. Delete it in Settings and download it again.',
  'speech.recogniser_stopped': 'The speech recogniser stopped unexpectedly.',
  'speech.basic_recognition':
    'Basic recognition: English only, without punctuation, and with many mistakes; speech in another language becomes English words that nobody said. A Whisper model, which you can download in Settings, does far better.',
  'speech.basic_quality':
    'Without {recommended}, which you can download in Settings, the Quality mode does no better than Fast, which costs less.',
  'speech.english_only_model':
    'The model that was used knows English only; speech in another language becomes English words that nobody said.',
  'speech.small_model':
    'This was transcribed with {model}. {recommended} makes far fewer mistakes; download it in Settings.',
  'speech.no_model':
    'No speech model is installed, so nothing can be transcribed. Download {recommended} in Settings, then convert the file again.',
  'speech.language_unknown':
    'The installed speech models know English only, not {language}. Download {recommended} in Settings, then convert the file again.',
  'speech.nothing_recognised': 'No speech was recognised in this recording.',
  'speech.no_speakers': 'Meeting writes the same text as Quality, which costs less. Speakers are not named.',
} as const
