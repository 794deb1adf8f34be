/** What a ticket knows already: the texts of its messages, and who wrote them when. */
export interface Earlier {
  /** Texts of the ticket's messages, as they were sent and received, the newest first. */
  texts: string[]
  /** Addresses of those who wrote them: ours and the contact's. */
  addresses: string[]
  names: string[]
  /** ISO 8601. */
  dates: string[]
}

export interface Knowledge {
  /** Whether a line stands in an earlier message. `before` is the line above it, for lines that were wrapped. */
  isKnown(line: string, before: string): boolean
  /** Whether a text contains one of the addresses or names. */
  namesWriter(text: string): boolean
  /** Whether a text introduces a quote: it says who of those wrote, or when, and little else. */
  isIntroduction(text: string): boolean
}

const gram = 8
/** Characters of earlier messages that are compared: their index takes some 20 MB. */
const maxCorpus = 64 * 1024

const links = /\b(?:https?:\/\/|mailto:|cid:)[^\s<>"\])]*/gi
const notWord = /[^\p{L}\p{M}\p{N}]/gu

/** The letters and digits of a text, because programs change spaces, quotation marks and links as they quote. */
const normalise = (text: string): string =>
  text.normalize('NFKC').replaceAll(links, '').toLowerCase().replaceAll(notWord, '')

const zeros = [...'0٠۰०০๐'].map(zero => zero.codePointAt(0)!)

/** Without invisible characters, and with the digits 0 to 9 for those of other scripts. */
const simplify = (text: string): string =>
  text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Nd}/gu, digit => {
      const code = digit.codePointAt(0)!
      const zero = zeros.find(one => code >= one && code < one + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replaceAll(/\s+/g, ' ')
    .trim()

function indexGrams(texts: string[]): Set<string> {
  const grams = new Set<string>()
  for (const text of texts) {
    for (let at = 0; at + gram <= text.length; at++) grams.add(text.slice(at, at + gram))
  }
  return grams
}

function hasAllGrams(text: string, grams: Set<string>): boolean {
  for (let at = 0; at + gram <= text.length; at++) if (!grams.has(text.slice(at, at + gram))) return false
  return text.length >= gram
}

const clock = /\d{1,2}[:.hᴴ]\s?\d{2}/u
const year = /(?:19|20|25)\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2}/

/** Whether a text contains something like a date, in whatever language. */
export const hasDate = (text: string): boolean => clock.test(simplify(text)) || year.test(simplify(text))

const dayMs = 86_400_000

/** The years and days that a moment may have in other time zones and, for the year, in the Thai calendar. */
function listNumbers(date: string): { years: string[]; days: string[] } {
  const at = Date.parse(date)
  const around = [at - dayMs / 2, at, at + dayMs / 2].map(time => new Date(time))
  const years = around.map(time => time.getUTCFullYear())
  return {
    years: years.flatMap(one => [String(one), String(one % 100), String(one + 543)]),
    days: around.flatMap(time => [String(time.getUTCDate()), String(time.getUTCDate()).padStart(2, '0')]),
  }
}

function listMoments(dates: string[]): (text: string) => boolean {
  const moments = dates.filter(date => !Number.isNaN(Date.parse(date))).map(listNumbers)
  return text => {
    const numbers = new Set(text.match(/\d+/g))
    return moments.some(
      ({ years, days }) => years.some(one => numbers.has(one)) && days.some(one => numbers.has(one)),
    )
  }
}

/** Characters of the sentence that introduces a quote. */
export const maxIntroduction = 400
const ends = /[:：︰>]$|[-_]{2}$/
const letters = /\p{L}/gu

/** Addresses in lower case, without what stands between + and @. */
const plain = (text: string): string =>
  simplify(text)
    .toLowerCase()
    .replaceAll(/\+[^@\s+]*@/g, '@')

/** Collects what the messages of a ticket contain, so that many lines can be compared with them. */
export function learn(earlier: Earlier): Knowledge {
  const lines = earlier.texts.flatMap(text => text.split('\n')).map(normalise)
  const exact = new Set(lines.filter(line => line !== ''))
  const corpus = earlier.texts.map(normalise)
  const grams = indexGrams([corpus.join(' ').slice(0, maxCorpus)])
  const addresses = earlier.addresses.map(plain).filter(address => address !== '')
  const names = earlier.names.map(name => plain(name)).filter(name => name.length > 2)
  const hasMoment = listMoments(earlier.dates)
  const countLetters = (text: string): number => (text.match(letters) ?? []).length
  return {
    isKnown(line, before) {
      const text = normalise(line)
      if (text === '' || exact.has(text)) return text !== ''
      if (hasAllGrams(text, grams)) return true
      return text.length < gram && before !== '' && hasAllGrams(normalise(before).slice(-gram) + text, grams)
    },
    namesWriter: text => [...addresses, ...names].some(one => plain(text).includes(one)),
    isIntroduction(text) {
      const said = plain(text)
      if (said === '' || said.length > maxIntroduction || !ends.test(said)) return false
      if (addresses.some(address => said.includes(address))) return true
      const name = names.find(one => said.includes(one))
      if (name) return hasDate(said) || countLetters(said.replace(name, '')) <= 25
      return hasMoment(said) && hasDate(said) && countLetters(said) <= 40
    },
  }
}
