import aac from './aac.ts'
import audio from './audio.ts'
import flac from './flac.ts'
import m4a from './m4a.ts'
import m4b from './m4b.ts'
import mp3 from './mp3.ts'
import ogg from './ogg.ts'
import opus from './opus.ts'
import paf from './paf.ts'
import wav from './wav.ts'
import wma from './wma.ts'

/** Declarations of this category, a file per source format. */
export default [...aac, ...audio, ...flac, ...m4a, ...m4b, ...mp3, ...ogg, ...opus, ...paf, ...wav, ...wma]
