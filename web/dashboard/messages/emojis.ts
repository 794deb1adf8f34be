import { gemoji } from 'gemoji'

interface Emoji {
  emoji: string
  name: string
}

/** Emojis by their short names: first those that start with the word, then those with such a tag. */
export function findEmojis(word: string, limit: number): Emoji[] {
  const typed = word.toLowerCase()
  const named = gemoji.flatMap(({ emoji, names }) => {
    const name = names.find(one => one.startsWith(typed))
    return name ? [{ emoji, name }] : []
  })
  const known = new Set(named.map(({ emoji }) => emoji))
  const tagged = gemoji
    .filter(({ emoji, tags }) => !known.has(emoji) && tags.some(tag => tag.startsWith(typed)))
    .map(({ emoji, names }) => ({ emoji, name: names[0] ?? '' }))
  return [...named.sort((one, other) => one.name.length - other.name.length), ...tagged].slice(0, limit)
}
