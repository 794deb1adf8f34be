/** Channels in which the project can answer. A ticket from any other channel gets the channel `api`. */
export const isKnownChannel = (channel: string): boolean =>
  /^(?:api|email|telegram|widget|custom:[a-z0-9][a-z0-9_-]{0,31})$/.test(channel)
