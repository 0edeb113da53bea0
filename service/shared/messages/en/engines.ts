/** What to do if an engine is missing. */
export const engines = {
  'engines.reinstall': 'A part of Refile is missing. Install it again.',
  'engines.reinstall_for_platform':
    'The image library does not run on this system. Install Refile again for exactly this platform.',
  'engines.ffmpeg_busy':
    'ffmpeg has not answered for {seconds} seconds: this computer is very busy, or a virus scanner is checking the program. Try again in a while.',
  'engines.ffmpeg_needed_linux':
    'This conversion needs ffmpeg, which was not found. Install the package "ffmpeg" of your system, or set REFILE_FFMPEG to its path.',
  'engines.ffmpeg_needed_macos':
    'This conversion needs ffmpeg, which was not found. Install it with "brew install ffmpeg", or set REFILE_FFMPEG to its path.',
  'engines.ffmpeg_needed_windows':
    'This conversion needs ffmpeg, which was not found. Install it with "winget install ffmpeg", or set REFILE_FFMPEG to its path.',
  'engines.install_ffmpeg_linux':
    'Install the package "ffmpeg" of your system, or set REFILE_FFMPEG to its path.',
  'engines.install_ffmpeg_macos': 'Install it with "brew install ffmpeg", or set REFILE_FFMPEG to its path.',
  'engines.install_ffmpeg_windows':
    'Install it with "winget install ffmpeg", or set REFILE_FFMPEG to its path.',
  'engines.ffmpeg_encoders': 'Install a build of ffmpeg with the encoders {encoders}.',
  'engines.ffmpeg_outdated':
    'ffmpeg {version} has the flaw CVE-2026-8461, fixed in 7.1.5, 8.0.3 and 8.1.2, unless your system has fixed it itself, which the version does not tell. Refile never uses the decoder concerned. Update ffmpeg.',
  'engines.pocketsphinx_optional': 'Not needed where a Whisper model is installed.',

  // Why a speech model, or a language of text recognition, is missing.
  'models.not_found': 'There is nothing to download by that name.',
  'models.not_ours': '{name} is in your own folder (REFILE_MODELS), where Refile deletes nothing.',
  'models.unknown':
    'The file is not one of the models listed here, or it is damaged. Choose it exactly as it was published.',
  'models.checksum_mismatch':
    'What arrived is not {name} as it was published, so it was deleted. Download it again.',
  'models.server_error': 'The server of the models answered with an error ({status}). Try again later.',
  'models.too_large': 'The server sent more than the size of the model, so the download was stopped.',
  'models.disk_full': 'There is not enough space on the disk for the model. Free some and try again.',
  'models.not_saved': 'The model could not be saved. Check the folder of the models and try again.',
} as const
