/**
 * Finds words with similar spelling. If two words differ by one typing error, deleting one letter from each can make them equal, so
 * words that share such a remainder are compared. An index of remainders finds them without reading other words. Trigrams would
 * find thousands of candidates, and those of Postgres know only the letters of the database's locale.
 */

const shortest = 4
/** Words of this length or more may have two errors. */
const long = 9
/** In a long word, two of the first so many letters are deleted. More letters would give too many remainders. */
const compared = 7

/** How many typing errors a word may have. */
export const forgiven = (word: string): number => {
  const { length } = [...word]
  return length < shortest ? 0 : length < long ? 1 : 2
}

const withoutOne = (word: string): string[] => {
  const letters = [...word]
  let [before, after] = ['', word]
  return letters.map(letter => {
    after = after.slice(letter.length)
    const rest = before + after
    before += letter
    return rest
  })
}

/** The remainders of words that may have one error. */
const remaindersOfOne = (word: string): string[] => [word, ...withoutOne(word)].map(rest => `1${rest}`)

/** The remainders of words that may have two errors. */
function remaindersOfTwo(word: string): string[] {
  const beginning = [...word].slice(0, compared).join('')
  const ones = withoutOne(beginning)
  return [beginning, ...ones, ...ones.flatMap(withoutOne)].map(rest => `2${rest}`)
}

/** The keys by which a word is indexed. A misspelt word may be one letter longer or shorter. */
export function remaindersOf(word: string): string[] {
  const { length } = [...word]
  if (length < shortest - 1) return []
  return [
    ...new Set([
      ...(length <= long ? remaindersOfOne(word) : []),
      ...(length >= long - 1 ? remaindersOfTwo(word) : []),
    ]),
  ]
}

/** The keys by which similar words are searched. */
export function wantedRemainders(word: string): string[] {
  const errors = forgiven(word)
  if (errors === 0) return []
  return [...new Set(errors === 1 ? remaindersOfOne(word) : remaindersOfTwo(word))]
}

/** 32-bit FNV-1a that starts with `hash`. */
function spread(text: string, hash: number): number {
  let mixed = hash
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193)
  return mixed >>> 0
}

/**
 * A 53-bit hash of a key in a project. It is small in the index and rarely equal to that of another key. One index covers all
 * projects, so the hash includes the project.
 */
export function keyOf(projectId: string, key: string): number {
  const text = `${projectId} ${key}`
  return spread(text, 0x811c9dc5) * 0x200000 + (spread(text, 0x9747b28c) >>> 11)
}

/** The edit distance of two words: the number of letters inserted, deleted, replaced, or swapped with the next one. */
export function distance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
