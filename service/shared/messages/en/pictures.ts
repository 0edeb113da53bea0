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
  'picture.is_text':
    'The file is text and no picture, whatever its name says. To convert it as text, rename it so that it ends in .txt.',
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
  'picture.hdr_mapped':
    'The picture is HDR, and the result has ordinary brightness: its brightest parts were darkened to what every screen shows. AVIF and JPEG XL keep HDR, but not with changed colours, a watermark, trimmed edges or a border.',
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

  // Why HEIC files are not converted.
  'heic.damaged': 'The HEIC file is damaged or incomplete and cannot be read.',
  'heic.unknown_coding':
    'The picture is coded in a way that cannot be read yet. Save it as a JPEG or an ordinary HEIC first.',
  'heic.unsupported':
    'The HEIC file uses a feature that cannot be read yet. Save it as a JPEG or an ordinary HEIC first.',
  'heic.too_many_parts': 'The HEIC file is made of more parts than this conversion allows.',
  'heic.too_many_tiles': 'The HEIC file has more tiles than this conversion allows.',
  'heic.only_video': 'The HEIC file is a video without a still picture. Convert it as a video instead.',
  'heic.encoder_missing': 'HEIC needs an ffmpeg with the HEVC encoder x265. Install a full build of ffmpeg.',

  // Why Lottie animations are not converted.
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

  // Messages about QuickDraw pictures.
  'pict.not_a_picture': 'The file is not a PICT picture.',
  'pict.no_size': 'The picture has no size. It may be damaged.',
  'picture.empty': 'The picture is empty: nothing is drawn in it.',
  'pict.breaks_off': 'The file ends before its picture does. The part that is there was drawn.',
  'pict.too_many_steps': 'The picture has too many drawing steps.',
  'pict.too_much_work':
    'The picture draws over itself so often that it cannot be converted in reasonable time.',
  'pict.too_large_pattern': 'The picture holds a pattern that is too large.',
  'pict.too_large_image': 'The picture holds an image of more than {megapixels} megapixels.',
  'pict.too_intricate_region': 'The picture contains a region too complex to draw.',
  'pict.damaged_region': 'The picture holds a damaged region.',
  'pict.damaged_image': 'An image inside the picture is damaged and cannot be read.',
  'pict.damaged_image_description': 'The picture holds a QuickTime image whose description is damaged.',
  'pict.image_without_size': 'The picture holds an image without a size.',
  'pict.image_of_unknown_depth': 'The picture holds an image of a depth that does not exist.',
  'pict.image_with_short_rows': 'The rows of an image in the picture are shorter than it is wide.',
  'pict.unsupported_compression':
    'The picture holds an image in the QuickTime compression “{codec}”, which cannot be read.',
  'pict.images_left_out':
    '{images, plural, one {An image in the picture could not be read and was left out.} other {# images in the picture could not be read and were left out.}}',

  // Messages about Photoshop documents.
  'psd.not_a_document': 'The file is not a Photoshop document.',
  'psd.unsupported_version': 'Photoshop documents of version {version} cannot be read.',
  'psd.unsupported_mode':
    'The Photoshop document uses a colour mode or a depth that cannot be read. Save it as 8-bit RGB.',
  'psd.damaged_header': 'The header of the Photoshop document is damaged.',
  'psd.contradicting_header': 'The header of the Photoshop document contradicts itself.',
  'psd.missing_channels': 'The Photoshop document lacks some of its colour channels.',
  'psd.damaged_pixels':
    'The pixels of the Photoshop document are damaged or incomplete. Check that it opens elsewhere.',
  'psd.nothing_drawn':
    'The document holds neither a merged picture nor layers with pixels. Save it with “maximise compatibility” on.',
  'psd.unmerged_mode':
    'The document was saved without a merged picture, and its layers cannot be merged in this mode. Save it with “maximise compatibility” on.',
  'psd.merged_without_effects':
    'The document was saved without a merged picture. Adjustment layers, fills and effects were left out.',

  // Messages about SVG drawings.
  'svg.no_drawing': 'The file holds no SVG drawing.',
  'svg.too_complex':
    'The drawing is too complex: it has too many parts, they are nested too deep, or its effects would take too long.',
  'svg.pictures_too_large':
    'The pictures inside the drawing have more than {megapixels} megapixels together.',
  'svg.outside_left_out':
    'The drawing refers to files or addresses outside of itself. They were not opened, and what they hold is missing.',
  'svg.picture_unreadable': 'A picture inside the drawing could not be read and is missing.',
  'svg.font_unreadable': 'A font inside the drawing could not be read. Another took its place.',
  'svg.font_variable': 'A variable font inside the drawing was drawn in one weight only.',
  'svg.html_left_out': 'The drawing holds parts in HTML, which are missing.',
} as const
