/** Messages about pictures and animations of any format. */
export const pictures = {
  'picture.too_many_pixels': 'The picture has more than {megapixels} megapixels. Make it smaller first.',
  'picture.too_many_pixels_for_target':
    'The picture has more pixels than the target format can hold. Resize it, or choose another format.',
  'picture.edge_too_long':
    '{format} holds at most {limit} pixels along an edge, and this picture has {edge}. Resize it, or choose another format.',
  'picture.damaged': 'The picture is damaged or incomplete. What could be read of it was converted.',
  'picture.lossless_larger':
    'Without loss the file is about {times} times as large as it was. Lossy compression would make it smaller.',
  'picture.nothing_left': 'The file is damaged or incomplete, and no pixel of the picture is left in it.',
  'picture.result_too_large':
    'The result would have more than {megapixels} megapixels. Choose a smaller size.',
  'picture.size_value_unused':
    'The size {preset} was used. The custom value or percentage was not, since it only counts with the size “custom”.',
  'picture.crop_cut': 'The part to cut out reached beyond the picture, so it has {width} × {height} pixels.',
  'picture.crop_outside':
    'The part to cut out lies outside of the picture, which has {width} × {height} pixels. Choose another part.',
  'picture.no_film': 'The photo contains no film. Choose another target.',
  'picture.hdr_lost':
    'The result has ordinary brightness: the brighter rendition for HDR screens is not kept. JPEG, AVIF and JPEG XL keep it, but not with trimmed edges or a border.',
  'picture.logo_unreadable':
    'The picture of the watermark cannot be read. Choose a PNG, JPEG, WebP or GIF file.',
  'picture.reduced':
    'The picture now has {width} × {height} pixels: with more of them it would not fit the size asked for.',
  'picture.not_flat':
    'The picture has many colours or details, like a photo, so the drawing is large and only approximate. Tracing suits logos and other flat graphics.',
  'picture.sheer':
    'The picture has partly transparent areas. In the drawing they are either opaque or left out.',
  'picture.too_many_shapes':
    'The picture has too many details for a drawing. Choose less detail, fewer colours or a smaller size; a photo is better kept as a picture.',
  'picture.too_small':
    'The picture cannot become as small as {kilobytes} KB. Choose more, or remove the metadata.',
  'picture.is_heic': 'This is a HEIC picture. Convert it with HEIC as its source.',
  'picture.is_raw': 'This is a camera RAW file. Convert it with RAW as its source.',
  'picture.unsupported': 'The picture uses a feature that cannot be read yet.',
  'picture.ends_early':
    'The file ends before its content does. It may be damaged or only partly copied; try to get it again.',
  'animation.no_frames': 'The animation has no frames.',
  'animation.size_unused': 'An animation cannot be fitted to a size. Make it smaller with Resize or Quality.',
  'animation.frame_missing':
    'There is no frame {frame}: the file has {frames, plural, one {# frame} other {# frames}}.',
  'animation.frames_too_large': 'Frames of this animation have more than {megapixels} megapixels.',
  'animation.too_many_frames': 'The animation has more than {limit} frames. Shorten it first.',
  'animation.too_many_pixels':
    'The animation has more pixels in all its frames than this conversion allows. Make it smaller or shorter.',
  'avif.not_av1': 'The pictures of this file are not coded in AV1.',
  'avif.encoder_missing':
    'Animated AVIF needs an ffmpeg with the encoder libaom-av1. Install one, or set REFILE_FFMPEG to its path.',
  'webm.edge_too_long': 'WebM holds at most {limit} pixels a side. Choose a smaller size.',
  'webm.encoder_missing': 'WebM needs an ffmpeg with the VP9 encoder libvpx. Install a full build of ffmpeg.',
  'bmp.unsupported_depth':
    'Bitmaps with {bits, plural, one {# bit} other {# bits}} per pixel cannot be read.',
  'bmp.unsupported_compression': 'This bitmap is compressed in a way that cannot be read.',
  'ico.no_icon': 'The file holds no readable icon.',
  'ico.picture_left_out': 'The picture of {width} × {height} pixels is damaged and was left out.',
  'tiff.unsupported': 'This TIFF file is stored in a way that cannot be read.',
  'tiff.no_page_chosen': 'The file has {pages, plural, one {# page} other {# pages}}, and none was chosen.',
  'tiff.range_cut':
    'The picture has floating-point values outside the range from 0 to 1. They became black or white.',
  'tiff.pages_left_out': 'Pages that are damaged were left out: {pages}.',
  'raw.preview_converted':
    'The RAW data could not be developed. The preview inside the file was converted instead.',
  'raw.unreadable':
    'The RAW file is damaged, incomplete, or from a camera that is not known, and it contains no preview either.',
} as const
