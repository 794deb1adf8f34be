/** The formats of a channel's values, in requests and on the command line. */

export const channelNamePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/
export const channelColorPattern = /^#[0-9a-f]{6}$/
