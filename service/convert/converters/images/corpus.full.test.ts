/** Files of the corpus with their expected results. Skipped if there are none. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { corpus, tool } from '../../../../testing/fixtures/media.ts'
import { psnr } from '../../../../testing/fixtures/pixels.ts'
import { type Decoded, decode, onWhite, rawPixels } from '../../../../testing/pictures.ts'
import { JobFailure } from '../../../shared/errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-corpus-'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * The expected result: its size, its number of pictures, and its similarity to the reference in decibels; or the
 * failure code. `look` is for files that the reference decoder cannot read or shows wrongly (old-style JPEG in TIFF,
 * rotated AVIF, linear PNG): the result only has to be non-empty.
 */
type Expected = [size: string, count: number, likeness: number | 'look'] | string

/** Every pixel equals the reference. */
const SAME = Number.POSITIVE_INFINITY

const expected: Record<string, Record<string, Expected>> = {
  avif: {
    'l_color_grid_alpha_grid_tile_shared_in_dimg.avif': 'jobs.corrupt_input',
    'l_colors_hdr_srgb.avif': ['200x200', 1, 'look'],
    'l_cosmos1650_yuv444_10bpc_p3pq.avif': ['1024x428', 1, 'look'],
    'l_draw_points_idat_progressive.avif': ['33x11', 1, 52],
    'l_draw_points_idat_progressive_metasize0.avif': ['33x11', 1, 'look'],
    'l_fox.profile0.10bpc.yuv420.avif': ['1204x800', 1, 46],
    'l_fox.profile0.10bpc.yuv420.monochrome.avif': ['1204x800', 1, 27],
    'l_fox.profile2.10bpc.yuv422.avif': ['1204x800', 1, 48],
    'l_fox.profile2.12bpc.yuv444.avif': ['1204x800', 1, 50],
    'l_sofa_grid1x5_420_dimg_repeat.avif': ['1024x770', 1, 'look'],
    'l_supported_gainmap_writer_version_with_extra_bytes.avif': ['100x100', 1, 'look'],
    'l_unsupported_gainmap_writer_version_with_extra_bytes.avif': ['100x100', 1, 'look'],
    'p_icc_profile.avif': ['57x57', 1, 63],
    'p_rot2mir0.avif': ['640x427', 1, 'look'],
  },
  bmp: {
    'p_hopper_rle8_grayscale.bmp': ['256x10', 1, SAME],
    'p_pal4.bmp': ['127x64', 1, SAME],
    'p_pal8nonsquare.bmp': ['127x32', 1, SAME],
    'p_pal8offs.bmp': ['127x64', 1, SAME],
    'p_pal8w126.bmp': ['126x63', 1, SAME],
    'p_rgb24png.bmp': ['127x64', 1, 'look'],
    'p_rgba32h56.bmp': ['127x64', 1, SAME],
    't_baddens1.bmp': ['127x64', 1, SAME],
    't_blauesglas_4-IM.bmp': ['301x331', 1, SAME],
    't_pal4.bmp': ['127x64', 1, SAME],
    't_pal8nonsquare.bmp': ['127x32', 1, SAME],
    't_pal8offs.bmp': ['127x64', 1, SAME],
    't_pal8w126.bmp': ['126x63', 1, SAME],
    't_rgb24png.bmp': ['127x64', 1, 'look'],
  },
  gif: {
    'p_background_outside_palette.gif': ['1x1', 1, SAME],
    'p_duplicate_frame.gif': ['10x10', 1, SAME],
    'p_first_frame_transparency.gif': ['75x50', 1, 'look'],
    'p_hopper.gif': ['128x128', 1, SAME],
    'p_iss634.gif': ['245x245', 1, SAME],
    'p_issue_2811.gif': ['100x100', 1, SAME],
    'p_no_palette_with_transparency_after_rgb.gif': ['128x128', 1, SAME],
    'p_star.gif': ['159x159', 1, SAME],
    'p_text_mono.gif': ['100x30', 1, SAME],
    'p_transparent.gif': ['200x150', 1, SAME],
  },
  ico: {
    'hopper.ico': ['16x16', 1, SAME],
    'pillow.ico': ['256x256', 1, SAME],
    'python.ico': ['48x48', 1, SAME],
    'tm_colors.ico': ['256x256', 1, SAME],
    'tm_favicon.ico': ['32x32', 1, SAME],
    'tm_rgb24bitmask.ico': ['32x32', 1, SAME],
  },
  jpg: {
    '2569067123_aca715a2ee_o.jpg': ['2725x2225', 1, SAME],
    '320x240.jpg': ['320x240', 1, 52],
    'Channel_digital_image_CMYK_color.jpg': ['500x333', 1, 48],
    'Landscape_2.jpg': ['600x450', 1, 50],
    'Portrait_1.jpg': ['450x600', 1, SAME],
    'Portrait_4.jpg': ['450x600', 1, 50],
    'Portrait_6.jpg': ['450x600', 1, 50],
    'Portrait_8.jpg': ['450x600', 1, 50],
    'corrupt-header.jpg': 'jobs.corrupt_input',
    'flowers.jpeg': ['1920x1080', 1, SAME],
    'gamma_dalai_lama_gray.jpg': ['258x222', 1, SAME],
    'truncated.jpg': ['2725x2225', 1, 'look'],
  },
  png: {
    '50020484-00001.png': ['2809x2074', 1, SAME],
    'Flag_of_the_Netherlands-16bit.png': ['900x600', 1, SAME],
    'alpha-premultiply-2048x1536-paper.png': ['2048x1536', 1, SAME],
    'full-transparent.png': ['300x300', 1, SAME],
    'slight-gradient-border.png': ['1000x1000', 1, SAME],
    'swiss.png': ['68x68', 1, SAME],
    'tbgn2c16.png': ['32x32', 1, 'look'],
    'test-pattern.png': ['1280x960', 1, SAME],
    'testJoinChannel.png': ['320x240', 1, SAME],
    'trim-mc.png': ['200x240', 1, SAME],
  },
  svg: {
    'check.svg': ['100x100', 1, 'look'],
    'circle.svg': ['8x8', 1, 'look'],
    'firefox-logo.svg': ['953x984', 1, 'look'],
    'svg-image-exporting-reference.svg': ['201x261', 1, 'look'],
    'text-to-path.svg': ['2000x1024', 1, 'look'],
  },
  tiff: {
    'p_crash-63b1dffefc8c075ddc606c0a2f5fdc15ece78863.tif': 'jobs.corrupt_input',
    'p_hopper2.tif': ['128x128', 1, SAME],
    'p_hopper_bigtiff.tif': ['128x128', 1, SAME],
    'p_lab-red.tif': ['10x10', 1, 26],
    'p_multipage-lastframe.tif': ['20x20', 1, SAME],
    'p_old-style-jpeg-compression.tif': ['4160x870', 1, 'look'],
    'p_tiff_tiled_cmyk_jpeg.tif': ['100x100', 1, 'look'],
    'p_tiff_tiled_planar_16bit_RGB.tiff': ['100x40', 1, 50],
    'p_tiff_tiled_ycbcr_jpeg_2x2_sampling.tif': ['480x360', 1, SAME],
    't_662260-color.tif': ['1600x1200', 3, 'look'],
    't_flower-minisblack-08.tif': ['73x43', 1, SAME],
    't_flower-rgb-contig-08.tif': ['73x43', 1, 'look'],
    't_flower-rgb-planar-16.tif': ['73x43', 1, SAME],
    't_flower-separated-planar-16.tif': ['73x43', 1, 26],
    't_foto_0001.tif': ['1663x2338', 2, 'look'],
    't_group3_1d_fill.tif': ['6x4', 1, SAME],
    't_group3_2d_fill.tif': ['6x4', 1, SAME],
    't_lzw-rgba-padded-icc.tif': ['19x11', 1, SAME],
    't_noeof.tif': ['6x4', 1, 'look'],
    't_old-style-jpeg-no-jpeginterchangeformatlength.tif': ['3456x2461', 1, 'look'],
    't_planar-yuv422-bt601-uncompressed.tif': 'jobs.unsupported_input',
    't_quad-lzw.tif': ['512x384', 1, SAME],
    't_shapes_lzw_predictor3.tif': ['128x72', 1, 50],
    't_zackthecat.tif': ['234x213', 1, 'look'],
  },
  webp: {
    'p_enhanced_hopper.webp': ['128x128', 1, SAME],
    'p_hopper.webp': ['128x128', 1, SAME],
    'p_hopper_orientation_4.webp': ['128x128', 1, SAME],
    'p_hopper_orientation_7.webp': ['128x128', 1, SAME],
    'p_merged_hopper.webp': ['256x128', 1, SAME],
    'p_rotated_hopper_90.webp': ['128x128', 1, SAME],
    't_3_webp_a.webp': ['800x600', 1, SAME],
    't_bug3.webp': ['95x95', 1, SAME],
    't_segment01.webp': ['160x160', 1, SAME],
    't_small_13x1.webp': ['13x1', 1, SAME],
    't_small_1x1.webp': ['1x1', 1, SAME],
    't_small_1x13.webp': ['1x13', 1, SAME],
  },
}

/** RGBA of the file as decoded by avifdec or ImageMagick. */
function reference(path: string, format: string, width: number): Uint8Array {
  if (format === 'avif') {
    const png = join(folder, 'reference.png')
    tool('avifdec', '-d', '8', '--png-compress', '1', path, png)
    return decode(png).data
  }
  let frame = 0
  if (format === 'ico') {
    const widths = tool('identify', '-format', '%w ', `ico:${path}`).trim().split(' ').map(Number)
    frame = widths.indexOf(width)
  }
  const picture = `${format === 'ico' ? 'ico:' : ''}${path}[${frame}]`
  const shown = ['-auto-orient', '-colorspace', 'sRGB', '+repage', '-alpha', 'on', '-depth', '8']
  return rawPixels(picture, '-profile', SRGB_PROFILE, ...shown)
}

/** ImageMagick applies an embedded profile only if it is given a target profile; Debian's icc-profiles-free has it. */
const SRGB_PROFILE = '/usr/share/color/icc/sRGB.icc'

const seen = ({ data }: Decoded) => {
  const distinct = new Set<number>()
  for (let i = 0; i < data.length; i += 4) {
    distinct.add(data[i + 3]! === 0 ? -1 : (data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!)
  }
  return distinct.size
}

for (const [format, files] of Object.entries(expected)) {
  const present = corpus(format).filter(path => Object.hasOwn(files, basename(path)))
  describe.skipIf(present.length === 0)(format, () => {
    test.each(present.map(path => ({ path, name: basename(path) })))('$name', async ({ path, name }) => {
      const wanted = files[name]!
      const lossless = { smartCompression: { enabled: true, mode: 'lossless' } }
      const running =
        format === 'png'
          ? convertFile('image.png-to-webp', path, lossless)
          : convertFile(`image.${format}-to-png`, path)
      if (typeof wanted === 'string') {
        await expect(running).rejects.toMatchObject({ code: wanted })
        await expect(running).rejects.toBeInstanceOf(JobFailure)
        return
      }
      const { path: output, outputs } = await running
      const picture = decode(output)
      const [size, count, likeness] = wanted
      expect([`${picture.width}x${picture.height}`, outputs.length]).toEqual([size, count])
      if (likeness === 'look') expect(seen(picture)).toBeGreaterThan(1)
      else {
        const same = psnr(
          onWhite({ ...picture, data: reference(path, format, picture.width) }),
          onWhite(picture),
        )
        expect(same).toBeGreaterThanOrEqual(likeness)
      }
    })
  })
}
