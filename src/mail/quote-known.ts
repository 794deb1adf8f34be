/** The ticket's earlier messages: their texts, authors and dates. */
export interface Earlier {
  /** The texts as they were sent and received, newest first. */
  texts: string[]
  /** The authors' addresses: ours and the contact's. */
  addresses: string[]
  names: string[]
  /** ISO 8601. */
  dates: string[]
}

export interface Knowledge {
  /** Whether an earlier message contains the line. `before` is the line above it, for wrapped lines. */
  isKnown(line: string, before: string): boolean
  /** Whether the text contains the address or name of an author. */
  namesWriter(text: string): boolean
  /** Whether the text is an attribution: it contains an author or a date of the earlier messages and little else. */
  isIntroduction(text: string): boolean
}

const gram = 8
/** Characters of earlier messages that are indexed. The index takes about 10 MB. */
const maxCorpus = 64 * 1024

const links = /\b(?:https?:\/\/|mailto:|cid:)[^\s<>"\])]*/gi
const notWord = /[^\p{L}\p{M}\p{N}]/gu

/** Only the letters and digits of a text, because mail programs change spaces, quotation marks and links when they quote. */
const normalise = (text: string): string =>
  text.normalize('NFKC').replaceAll(links, '').toLowerCase().replaceAll(notWord, '')

const zeros = [...'0٠۰०০๐'].map(zero => zero.codePointAt(0)!)

const ascii = /^[\0-\x7f]*$/

/** Removes invisible characters and converts the digits of other scripts to 0 to 9. */
const simplify = (text: string): string =>
  (ascii.test(text) ? text : simplifyCharacters(text)).replaceAll(/\s+/g, ' ').trim()

const simplifyCharacters = (text: string): string =>
  text.replaceAll(/\p{Cf}/gu, '').replaceAll(/\p{Nd}/gu, digit => {
    const code = digit.codePointAt(0)!
    const zero = zeros.find(one => code >= one && code < one + 10)
    return zero === undefined ? digit : String(code - zero)
  })

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

/** Whether a text contains something like a date or time, in any language. */
export const hasDate = (text: string): boolean => clock.test(simplify(text)) || year.test(simplify(text))

const dayMs = 86_400_000

/** The years and days of the month that a time may have in other time zones. Includes years of the Thai calendar. */
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

/** Maximum length of an attribution in characters. */
export const maxIntroduction = 400
const ends = /[:：︰>]$|[-_]{2}$/
const letters = /\p{L}/gu

/** Lower case, with the tags after + removed from addresses. */
const plain = (text: string): string =>
  simplify(text)
    .toLowerCase()
    .replaceAll(/\+[^@\s+]*@/g, '@')

/** Indexes the earlier messages so that many lines can be compared with them. */
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
