import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** Noto Sans in the alphabets of most languages. A family is divided into files, of which a text needs few. */
const families = ['', 'arabic', 'hebrew', 'thai', 'bengali', 'tamil'].map(script =>
  script ? `noto-sans-${script}` : 'noto-sans',
)

/** Han characters have other shapes in each of these; the first stands for any language. */
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

/** The file of a font that has a character; null where none has it. */
export function findFontFile(char: string, locale: string): string | null {
  const code = char.codePointAt(0)!
  const has = ({ ranges }: FontFile) => ranges.some(([from, to]) => from <= code && code <= to)
  for (const family of familiesOf(locale)) {
    const file = filesOf(family).find(has)
    if (file) return file.path
  }
  return null
}

/** The fonts that a text needs, with these characters only. */
export interface Fonts {
  /** The font of a character; one that no font has is drawn by the first, as a box. */
  of(char: string): Buffer
}

/** The libraries are loaded where they are wanted. */
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
