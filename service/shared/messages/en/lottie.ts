/** Why Lottie animations are not converted. */
export const lottie = {
  'lottie.damaged': 'This is not a readable Lottie animation: its content is damaged.',
  'lottie.damaged_archive': 'This is not a readable Lottie animation: its package is damaged.',
  'lottie.damaged_compression': 'This is not a readable Lottie animation: its compressed data is damaged.',
  'lottie.damaged_text': 'This is not a readable Lottie animation: its text is damaged.',
  'lottie.damaged_assets': 'This is not a readable Lottie animation: its assets are damaged.',
  'lottie.empty_archive': 'This is not a readable Lottie animation: the package contains no animation.',
  'lottie.not_json': 'This is not a readable Lottie animation: it is not valid JSON.',
  'lottie.not_an_object': 'This is not a readable Lottie animation: it is not an object.',
  'lottie.no_size': 'This is not a readable Lottie animation: its size is missing.',
  'lottie.no_frame_rate': 'This is not a readable Lottie animation: its frame rate is missing or impossible.',
  'lottie.no_duration': 'This is not a readable Lottie animation: its duration is missing.',
  'lottie.no_layers': 'This is not a readable Lottie animation: it has no layers.',
  'lottie.too_large_file': 'The animation is larger than {megabytes} MB.',
  'lottie.too_large_unpacked': 'The animation unpacks to more than {megabytes} MB.',
  'lottie.too_large_archive': 'The animation package unpacks to more than {megabytes} MB.',
  'lottie.too_many_animations': 'The animation package holds more than {limit} animations.',
  'lottie.too_deep': 'The animation nests its shapes too deeply.',
  'lottie.too_many_layers': 'The animation has too many layers.',
  'lottie.too_large_pictures': 'The animation contains pictures of more than {megapixels} megapixels.',
  'lottie.frame_too_large': 'Frames of this size are too large to draw. Choose a smaller size.',
  'lottie.result_too_large': 'The animation is too large. Choose a smaller size or frame rate.',
  'lottie.result_too_long': 'The animation would have more than {frames} frames. Choose a lower frame rate.',
  'lottie.expressions_not_run':
    'The animation is partly driven by expressions, which are not run. Parts of it may not move.',
  'lottie.pictures_left_out':
    'The animation refers to pictures that are not part of the file. They were left out.',
} as const
