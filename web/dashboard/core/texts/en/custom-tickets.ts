/** Texts in tickets of custom channels. */
export const customTickets = {
  channel: 'Channel',
  goesTo: (name: string, title: string) => `Goes to ${name} in ${title}`,
  isPaused: (title: string) => `${title} is paused. Replies wait until an admin resumes it.`,
  isLate: (title: string, time: string) =>
    `The program that connects ${title} hasn’t sent replies since ${time}. Replies wait until it runs again.`,
  isGone: 'The channel of this conversation was deleted. Replies can’t be sent.',
  /** All other errors are texts from the channel's program. */
  errors: {
    channel_deleted: 'The channel was deleted.',
    no_recipient: 'The customer hasn’t written in this channel yet.',
    failed: 'The program gave no reason.',
  } as Record<string, string>,
  waits: (title: string) => `Waiting for the program that connects ${title}`,
}
