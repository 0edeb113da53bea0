/** Why a speech model, or a language of text recognition, is missing. */
export const models = {
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
