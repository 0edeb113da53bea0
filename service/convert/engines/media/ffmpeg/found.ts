/**
 * Environment variable with what a process has found out about the ffmpeg program, as JSON. The service passes it on to all later
 * workers, so that each version of the program is asked once.
 */
export const FOUND_FFMPEG = 'REFILE_FOUND_FFMPEG'
