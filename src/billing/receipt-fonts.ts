import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** Noto Sans for the alphabets of most languages. Each family consists of several files; a text needs only a few of them. */
const families = ['', 'arabic', 'hebrew', 'thai', 'bengali', 'tamil'].map(script =>
  script ? `noto-sans-${script}` : 'noto-sans',
)

/** Han characters look different in each of these languages. The first font is the default. */
const eastern: Record<string, string> = { zh: 'noto-sans-sc', ko: 'noto-sans-kr', ja: 'noto-sans-jp' }

const familiesOf = (locale: string): string[] => {
  const own = eastern[locale.split('-')[0]!]
  return [...new Set([...families, ...(own ? [own] : []), ...Object.values(eastern)])]
}

const require = createRequire(import.meta.url)

interface FontFile {
  path: string
  ranges: [number, number][]
}

const readRange = (text: string): [number, number] => {
  const [from, to = from] = text.slice(2).split('-')
  return [Number.parseInt(from!, 16), Number.parseInt(to!, 16)]
}

const read = new Map<string, FontFile[]>()

function filesOf(family: string): FontFile[] {
  const known = read.get(family)
  if (known) return known
  const folder = `@fontsource-variable/${family}`
  const ranges: Record<string, string> = JSON.parse(
    readFileSync(require.resolve(`${folder}/unicode.json`), 'utf8'),
  )
  const files = Object.entries(ranges).map(([key, list]) => ({
    path: `${folder}/files/${family}-${key.replace(/[[\]]/g, '')}-wght-normal.woff2`,
    ranges: list.split(',').map(readRange),
  }))
  read.set(family, files)
  return files
}

/** The font file that contains a character; null if there is none. */
export function findFontFile(char: string, locale: string): string | null {
  const code = char.codePointAt(0)!
  const has = ({ ranges }: FontFile) => ranges.some(([from, to]) => from <= code && code <= to)
  for (const family of familiesOf(locale)) {
    const file = filesOf(family).find(has)
    if (file) return file.path
  }
  return null
}

/** The fonts for a text, reduced to its characters. */
export interface Fonts {
  /** The font for a character. If no font has it, the first font draws a box. */
  of(char: string): Buffer
}

/** Loads the libraries on first use. */
export async function loadFonts(text: string, locale: string): Promise<Fonts> {
  const { default: subset } = await import('subset-font')
  const texts = new Map<string, string>()
  const fallback = findFontFile('a', locale)!
  for (const char of new Set(text)) {
    const path = findFontFile(char, locale) ?? fallback
    texts.set(path, (texts.get(path) ?? '') + char)
  }
  const fonts = new Map<string, Buffer>()
  for (const [path, chars] of [...texts].sort()) {
    const whole = await readFile(require.resolve(path))
    const how = { targetFormat: 'sfnt' as const, variationAxes: { wght: 400 } }
    const font = await subset(whole, chars, how)
    for (const char of chars) fonts.set(char, font)
  }
  const first = fonts.values().next().value!
  return { of: char => fonts.get(char) ?? first }
}
