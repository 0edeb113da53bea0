/**
 * What ffmpeg may use to read a file: the demuxers of our formats, and the decoders of what they hold. Everything else that a build
 * contains is code for strangers' bytes that nobody needs.
 */

// Where a build may lack ffmpeg's own decoder, those of libraries follow it.
const h264 = 'h264 libopenh264'
const av1 = 'libdav1d libaom-av1 av1'
const vpx = 'vp8 libvpx vp9 libvpx-vp9'
const modern = `${h264} hevc ${av1} ${vpx}`
const discs = 'mpeg1video mpeg2video vc1'
const divx = 'mpeg4 msmpeg4v2 msmpeg4 h263'
/** Of cameras, of programs that cut videos, and of those that record a screen. */
const editing = 'rawvideo v210 mjpeg dvvideo prores dnxhd cfhd huffyuv ffvhuff utvideo ffv1 png qtrle'

const aac = 'aac libfdk_aac aac_latm'
const dolby = 'ac3 eac3'
const mpeg = 'mp2float mp2 mp3float mp3'
const xiph = 'vorbis libvorbis opus libopus flac speex libspeex'
const amr = 'amrnb libopencore_amrnb amrwb libopencore_amrwb'
const whole = 'pcm_u8 pcm_s8 pcm_s16le pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be'
const pcm = `${whole} pcm_f32le pcm_f32be pcm_f64le pcm_f64be pcm_alaw pcm_mulaw`
const windowsSound = `${pcm} pcm_s64le adpcm_ms adpcm_ima_wav gsm_ms ${mpeg} ${aac} ${dolby} dca wmav1 wmav2`

/** Covers, which ffmpeg has to look at where it copies them. */
const covers = 'mjpeg png gif bmp webp'
const words = 'ass ssa subrip srt text webvtt mov_text'
/** Subtitles that are pictures. */
const drawn = 'pgssub dvdsub dvbsub'

/**
 * Decoders of what files hold, by demuxers. Each demuxer reads a single file: playlists and scripts (hls, dash, concat, sdp, …),
 * which would open further files or addresses, are excluded.
 */
const media: Readonly<Record<string, string>> = {
  mov: `${modern} ${divx} ${discs} ${editing} svq1 svq3 cinepak rpza smc ${aac} alac als ${mpeg} ${dolby} ${amr} ${pcm} adpcm_ima_qt ${covers} ${words}`,
  matroska: `${modern} ${divx} ${discs} ${editing} theora ${aac} alac ${mpeg} ${dolby} ${xiph} dca truehd mlp wavpack tta ${pcm} ${covers} ${words} ${drawn}`,
  avi: `${h264} ${divx} ${discs} ${editing} wmv1 wmv2 wmv3 cinepak msvideo1 msrle indeo3 indeo4 indeo5 lagarith camtasia zmbv ${windowsSound} vorbis`,
  flv: `${h264} flv flashsv flashsv2 vp6f vp6a ${aac} ${mpeg} nellymoser speex adpcm_swf pcm_u8 pcm_s16le pcm_alaw pcm_mulaw`,
  asf: `wmv1 wmv2 wmv3 vc1 ${divx} ${mpeg} wmav1 wmav2 wmapro wmalossless wmavoice ${covers}`,
  mpeg: `${discs} ${h264} ${mpeg} ${dolby} dca pcm_dvd`,
  mpegts: `${discs} ${modern} ${mpeg} ${aac} ${dolby} dca truehd opus pcm_bluray s302m`,
  ogg: `theora vp8 ${xiph} ${covers}`,
  wav: `${windowsSound} flac`,
  aiff: `${pcm} adpcm_ima_qt ${covers}`,
  caf: `${pcm} ${aac} alac adpcm_ima_qt opus`,
  ...{ aac: `${aac} ${covers}`, loas: aac, mp3: `${mpeg} ${covers}`, flac: `flac ${covers}`, amr },
  ...{ ac3: dolby, eac3: dolby, mpegvideo: discs },
  ...{ dsf: 'dsd_lsbf_planar', tta: `tta ${covers}`, wv: `wavpack ${covers}` },
}

/** The same of demuxers that are only used where they are asked for. */
const asked: Readonly<Record<string, string>> = {
  ...{ gif: 'gif', ivf: av1, exr_pipe: 'exr', rawvideo: 'rawvideo', nut: 'rawvideo pcm_f32le' },
  ...{ dds_pipe: 'dds', ass: 'ass ssa', srt: 'subrip srt', webvtt: 'webvtt', sup: 'pgssub' },
  ...{ microdvd: 'microdvd', f32le: 'pcm_f32le', f64le: 'pcm_f64le' },
  ...{ s8: 'pcm_s8', s16le: 'pcm_s16le', s24le: 'pcm_s24le', s32le: 'pcm_s32le' },
}

/** Names of the demuxers that may be tried on any file. */
export const mediaDemuxers: readonly string[] = Object.keys(media)

/** Every decoder that a file may need which is read by any of these demuxers, or by this one. */
export const decodersOf = (demuxer?: string | null): readonly string[] => [
  ...new Set((asked[demuxer ?? ''] ?? Object.values(media).join(' ')).split(' ')),
]
