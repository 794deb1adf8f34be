import { createHash } from 'node:crypto'
import {
  black,
  mix,
  parseColor,
  printColor,
  type Rgb,
  textColorOn,
  white,
  withContrast,
} from '../core/text/color.ts'

/** Derives readable colours of a help centre from the colour of its project. */

/** The background with the lower contrast to links in each colour scheme, as in css/base.css. */
const lightSurface: Rgb = [244, 245, 247]
const darkSurface: Rgb = [32, 36, 43]
const darkPage: Rgb = [20, 22, 26]

const declare = (link: Rgb, band: Rgb): string =>
  `--link:${printColor(link)};--band:${printColor(band)};--on-band:${printColor(textColorOn(band))}`

/** A project's style, with its hash for the Content-Security-Policy. */
export interface Theme {
  css: string
  hash: string
  /** Colours of the browser's own bars. */
  light: string
  dark: string
  /** The text colour on `light`. */
  ink: string
}

export function themeOf(text: string | null): Theme {
  const color = parseColor(text)
  const darkBand = mix(color, darkPage, 0.6)
  const light = declare(withContrast(color, black, lightSurface), color)
  const dark = declare(withContrast(color, white, darkSurface), darkBand)
  const css = `:root{${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`
  const hash = `sha256-${createHash('sha256').update(css).digest('base64')}`
  return {
    css,
    hash,
    light: printColor(color),
    dark: printColor(darkBand),
    ink: printColor(textColorOn(color)),
  }
}
