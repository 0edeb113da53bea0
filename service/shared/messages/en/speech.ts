/** Messages about speech recognition. */
export const speech = {
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
