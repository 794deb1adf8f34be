import { createHash } from 'node:crypto'

/** The colours of a help centre, made from the one colour of its project so that everything stays readable. */

type Rgb = readonly [number, number, number]

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
const usual = '#2f5bea'

/** The backgrounds that links stand on, as in css/base.css: the worse one of each scheme. */
const lightSurface: Rgb = [244, 245, 247]
const darkSurface: Rgb = [32, 36, 43]
const darkPage: Rgb = [20, 22, 26]

/** WCAG 2.2, 1.4.3, with a little to spare for rounding. */
const leastContrast = 4.6

function parseColor(text: string | null): Rgb {
  const digits = /^#([0-9a-f]{6})$/i.exec(text ?? '')?.[1] ?? usual.slice(1)
  return [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb
}

const printColor = (color: Rgb): string =>
  `#${color.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const linear = (part: number): number =>
  part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4

const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, at) => Math.round(part + (to[at]! - part) * share)) as unknown as Rgb

/** The colour, moved towards another one just as far as it takes to be read on this background. */
function readable(color: Rgb, towards: Rgb, background: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const tried = mix(color, towards, share)
    if (contrast(tried, background) >= leastContrast) return tried
  }
  return towards
}

/** One of black and white has 4.58 on every colour. */
const inkOn = (background: Rgb): Rgb =>
  contrast(white, background) >= contrast(black, background) ? white : black

const declare = (link: Rgb, band: Rgb): string =>
  `--link:${printColor(link)};--band:${printColor(band)};--on-band:${printColor(inkOn(band))}`

/** The style of a project with its hash for the Content-Security-Policy. */
export interface Theme {
  css: string
  hash: string
  /** Colours of the browser's own bars. */
  light: string
  dark: string
  /** What is written on the light one. */
  ink: string
}

export function themeOf(text: string | null): Theme {
  const color = parseColor(text)
  const darkBand = mix(color, darkPage, 0.6)
  const light = declare(readable(color, black, lightSurface), color)
  const dark = declare(readable(color, white, darkSurface), darkBand)
  const css = `:root{${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`
  const hash = `sha256-${createHash('sha256').update(css).digest('base64')}`
  return { css, hash, light: printColor(color), dark: printColor(darkBand), ink: printColor(inkOn(color)) }
}
