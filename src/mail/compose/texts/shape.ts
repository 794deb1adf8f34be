/** The texts that are added to outgoing emails. `{name}` is replaced with a value. */
export interface ComposeTexts {
  /** {date}, {name}. Ends in a colon, by which mail programs recognise it. */
  wrote: string
  /** {name}, {size}, {date} */
  link: string
  /** The heading of a forwarded message, and the labels of the lines below it. */
  forwarded: string
  from: string
  date: string
  subject: string
  /** The subject of emails about a chat. Placeholder: {project} */
  conversation: string
  /** Above the messages in a copy of a chat. Placeholder: {project} */
  transcript: string
}
