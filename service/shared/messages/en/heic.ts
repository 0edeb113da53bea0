/** Why HEIC files are not converted. */
export const heic = {
  'heic.damaged': 'The HEIC file is damaged or incomplete and cannot be read.',
  'heic.unknown_coding':
    'The picture is coded in a way that cannot be read yet. Save it as a JPEG or an ordinary HEIC first.',
  'heic.unsupported':
    'The HEIC file uses a feature that cannot be read yet. Save it as a JPEG or an ordinary HEIC first.',
  'heic.too_many_parts': 'The HEIC file is made of more parts than this conversion allows.',
  'heic.too_many_tiles': 'The HEIC file has more tiles than this conversion allows.',
  'heic.only_video': 'The HEIC file is a video without a still picture. Convert it as a video instead.',
  'heic.picture_in_other_file':
    'The HEIC file keeps its picture in another file. Export it as one file first.',
  'heic.encoder_missing': 'HEIC needs an ffmpeg with the HEVC encoder x265. Install a full build of ffmpeg.',
} as const
