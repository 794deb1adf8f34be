/** Readable colours by the formulas of WCAG 2.2. Used by the server and in browsers, so nothing here depends on Node.js. */

export type Rgb = readonly [number, number, number]

export const white: Rgb = [255, 255, 255]
export const black: Rgb = [0, 0, 0]

/** Deskbell's own colour, for projects that have not chosen one. */
export const defaultColor = '#2f5bea'

/** WCAG 2.2, 1.4.3 requires 4.5; the rest allows for rounding. */
const minContrast = 4.6

export function parseColor(text: string | null): Rgb {
  const digits = /^#([0-9a-f]{6})$/i.exec(text ?? '')?.[1] ?? defaultColor.slice(1)
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

export const printColor = (color: Rgb): string =>
  `#${color.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const linear = (part: number): number =>
  part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4

const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

export function contrast(one: Rgb, other: Rgb): number {
  const both = [luminance(one), luminance(other)]
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share)
  return [part(0), part(1), part(2)]
}

/** Mixes the colour with another one, only as much as it takes to be readable on this background. */
export function withContrast(color: Rgb, towards: Rgb, background: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const tried = mix(color, towards, share)
    if (contrast(tried, background) >= minContrast) return tried
  }
  return towards
}

/** Black or white: one of them has a contrast of at least 4.58 on every colour. */
export const textColorOn = (background: Rgb): Rgb =>
  contrast(white, background) >= contrast(black, background) ? white : black
