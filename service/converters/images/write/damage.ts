/** What people are told when only part of a picture could be read. */
export const DAMAGED = 'The picture is damaged or incomplete. What could be read of it was converted.'
