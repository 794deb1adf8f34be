import { signal } from '@preact/signals'
import {
  black,
  parseColor,
  printColor,
  textColorOn,
  white,
  withContrast,
} from '../../../../src/core/text/color.ts'
import { ask } from '../core/api.ts'
import type { Config } from '../core/records.ts'
import { language } from '../core/text.ts'

/** The project's settings for its chat. */
export const config = signal<Config | null>(null)

/** The background with the least contrast: `--soft` of style/base.css. */
const soft = { light: parseColor('#eef0f5'), dark: parseColor('#272c37') }

/** Sets the project's colour, adjusted to be readable everywhere. */
export function paint(text: string): void {
  const { style } = document.documentElement
  const color = parseColor(text)
  style.setProperty('--accent', printColor(color))
  style.setProperty('--ink', printColor(textColorOn(color)))
  style.setProperty('--accent-on-light', printColor(withContrast(color, black, soft.light)))
  style.setProperty('--accent-on-dark', printColor(withContrast(color, white, soft.dark)))
}

export async function loadConfig(): Promise<Config> {
  const loaded = await ask<Config>('GET', `/config?locale=${encodeURIComponent(language.value)}`, {
    as: null,
  })
  config.value = loaded
  paint(loaded.color)
  return loaded
}
