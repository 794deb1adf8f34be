const controls = /[\u2066-\u2069]/g

/** Marks a name or other words of a person in a line of the page's language, for `Isolated`. */
export const isolate = (words: string): string => `\u2068${words.replaceAll(controls, '')}\u2069`

/**
 * A line with marked words in it. They keep their own direction, and `dir="auto"` of the line does not see them. Otherwise, a
 * line that begins with an Arabic name would be turned round.
 */
export const Isolated = ({ words }: { words: string }) =>
  words.split(/[\u2068\u2069]/).map((part, at) => (at % 2 === 0 ? part : <bdi key={at}>{part}</bdi>))
