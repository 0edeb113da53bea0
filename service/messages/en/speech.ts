/** What is said of speech recognition. */
export const speech = {
  'speech.damaged_model':
    'The installed speech model is damaged. Delete it in Settings and download it again.',
  'speech.recogniser_stopped': 'The speech recogniser stopped unexpectedly.',
  'speech.basic_recognition':
    'Basic recognition: English only, without punctuation, and with many mistakes. A Whisper model, to be had in Settings, does far better.',
  'speech.english_only_model': 'The model that was used knows English only.',
} as const
