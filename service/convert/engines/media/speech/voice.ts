/** Describes a voice by numbers: the shape of its spectrum, and its pitch. */
import { median } from '../../common/median.ts'
import { SAMPLE_RATE } from './speech.ts'

/**
 * Number of samples in a frame (25 ms), between the starts of two frames (10 ms), and in a frame's Fourier transform.
 */
const FRAME_SAMPLES = 400
const HOP_SAMPLES = 160
const FFT_SIZE = 512

/** Number of mel bands, and of cepstral coefficients. */
const BANDS = 26
const COEFFICIENTS = 16

/** Range of a speaking voice. */
const LOWEST_HZ = 70
const HIGHEST_HZ = 400

/** Minimum correlation of a voiced frame with itself one period later. */
const VOICED_CORRELATION = 0.5

/** Frames quieter than the loudest by more than this are ignored. */
const RANGE_DB = 25

/** Minimum number of frames for describing a voice. */
const FRAMES_NEEDED = 25

const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700)
const hertz = (mels: number) => 700 * (Math.exp(mels / 1127) - 1)

/** Weight of each spectrum bin in each band: triangles that overlap by half, from 80 to 7600 Hz. */
const bands = Array.from({ length: BANDS }, (_, band) => {
  const edge = (nth: number) =>
    (hertz(mel(80) + ((mel(7600) - mel(80)) * nth) / (BANDS + 1)) * FFT_SIZE) / SAMPLE_RATE
  const [low, top, high] = [edge(band), edge(band + 1), edge(band + 2)] as const
  return Float64Array.from({ length: FFT_SIZE / 2 + 1 }, (_, bin) =>
    Math.max(0, Math.min((bin - low) / (top - low), (high - bin) / (high - top))),
  )
})

const cosines = Array.from({ length: COEFFICIENTS }, (_, k) =>
  Float64Array.from({ length: BANDS }, (_, band) => Math.cos((Math.PI * (k + 1) * (band + 0.5)) / BANDS)),
)

const hamming = Float64Array.from(
  { length: FRAME_SAMPLES },
  (_, n) => 0.54 - 0.46 * Math.cos((2 * Math.PI * n) / (FRAME_SAMPLES - 1)),
)

/**
 * Describes the voice in a piece of audio: means of its mel-frequency cepstral coefficients, and as the last number its
 * pitch in octaves. Null if there is too little data.
 */
export function voiceOf(sound: Int16Array): Float64Array | null {
  const frames = framesOf(sound)
  if (frames.length < FRAMES_NEEDED) return null
  const voice = new Float64Array(COEFFICIENTS + 1)
  const pitches: number[] = []
  for (const start of frames) {
    const frame = sound.subarray(start, start + FRAME_SAMPLES)
    for (const [k, value] of cepstrum(frame).entries()) voice[k]! += value / frames.length
    const pitch = pitchOf(sound, start)
    if (pitch !== null) pitches.push(pitch)
  }
  if (pitches.length < FRAMES_NEEDED / 3) return null
  voice[COEFFICIENTS] = Math.log2(median(pitches)!)
  return voice
}

/** Starts of the frames that are loud enough. */
function framesOf(sound: Int16Array): number[] {
  const energies: number[] = []
  for (let start = 0; start + FRAME_SAMPLES <= sound.length; start += HOP_SAMPLES) {
    let energy = 1
    for (let n = start; n < start + FRAME_SAMPLES; n++) energy += (sound[n] as number) ** 2
    energies.push(energy)
  }
  const least = energies.reduce((most, energy) => Math.max(most, energy), 0) / 10 ** (RANGE_DB / 10)
  return energies.flatMap((energy, nth) => (energy > least ? [nth * HOP_SAMPLES] : []))
}

function cepstrum(frame: Int16Array): number[] {
  const real = new Float64Array(FFT_SIZE)
  const imaginary = new Float64Array(FFT_SIZE)
  for (let n = 0; n < FRAME_SAMPLES; n++) {
    // Speech falls off towards high frequencies; this raises them to the same weight.
    const sample = (frame[n] as number) - 0.97 * (n > 0 ? (frame[n - 1] as number) : 0)
    real[n] = (sample / 32_768) * (hamming[n] as number)
  }
  transform(real, imaginary)
  const logs = bands.map(weights => {
    let sum = 1e-10
    for (const [bin, weight] of weights.entries()) {
      if (weight > 0) sum += weight * ((real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2)
    }
    return Math.log(sum)
  })
  return cosines.map(row => row.reduce((sum, cosine, band) => sum + cosine * (logs[band] as number), 0))
}

/** Pitch in Hz of a frame by autocorrelation; null if the sound has none. */
function pitchOf(sound: Int16Array, start: number): number | null {
  const longest = Math.floor(SAMPLE_RATE / LOWEST_HZ)
  if (start + FRAME_SAMPLES + longest > sound.length) return null
  const product = (lag: number) => {
    let sum = 0
    // Every second sample is enough for pitches this low, and halves the work.
    for (let n = start; n < start + FRAME_SAMPLES; n += 2)
      sum += (sound[n] as number) * (sound[n + lag] as number)
    return sum
  }
  const energyAt = (offset: number) => {
    let sum = 1
    for (let n = start + offset; n < start + offset + FRAME_SAMPLES; n += 2) sum += (sound[n] as number) ** 2
    return sum
  }
  const energy = energyAt(0)
  let best = { lag: 0, value: VOICED_CORRELATION }
  for (let lag = Math.ceil(SAMPLE_RATE / HIGHEST_HZ); lag <= longest; lag++) {
    const value = product(lag) / Math.sqrt(energy * energyAt(lag))
    // A multiple of the period fits as well as the period itself; the shorter one is right.
    if (value > best.value * (best.lag > 0 && lag > 1.8 * best.lag ? 1.1 : 1)) best = { lag, value }
  }
  return best.lag > 0 ? SAMPLE_RATE / best.lag : null
}

/** Fast Fourier transform in place (Cooley and Tukey, radix 2). */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      ;[real[i], real[j]] = [real[j] as number, real[i] as number]
      ;[imaginary[i], imaginary[j]] = [imaginary[j] as number, imaginary[i] as number]
    }
  }
  for (let length = 2; length <= size; length <<= 1) {
    for (let k = 0; k < length / 2; k++) {
      const cos = Math.cos((-2 * Math.PI * k) / length)
      const sin = Math.sin((-2 * Math.PI * k) / length)
      for (let i = k; i < size; i += length) {
        const j = i + length / 2
        const re = (real[j] as number) * cos - (imaginary[j] as number) * sin
        const im = (real[j] as number) * sin + (imaginary[j] as number) * cos
        real[j] = (real[i] as number) - re
        imaginary[j] = (imaginary[i] as number) - im
        real[i] = (real[i] as number) + re
        imaginary[i] = (imaginary[i] as number) + im
      }
    }
  }
}
