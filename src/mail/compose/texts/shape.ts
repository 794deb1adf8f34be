/** The texts that are added to outgoing emails. `{name}` is replaced with a value. */
export interface ComposeTexts {
  /** {date}, {name}. Ends in a colon, by which mail programs recognise it. */
  wrote: string
  /** {name}, {size}, {date} */
  link: string
}
