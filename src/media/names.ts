import { create } from 'content-disposition'
import { trimEnd } from '../core/trim.ts'

/** Control characters, line ends, and those that change the direction of what follows. */
const treacherous = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu

const longest = 150

/** Shortens in the middle, so that the extension stays. */
function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= longest) return name
  const tail = /\.[^.]{1,20}$/u.exec(name)?.[0] ?? ''
  return characters.slice(0, longest - tail.length).join('') + tail
}

/** A name that any system can save under: the last part of what looks like a path. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!
  const clean = trimEnd(last.replace(treacherous, '_').replace(/^[\s.]+/, ''), /[\s.]/).replace(
    /[<>:"|?*]/g,
    '_',
  )
  return shorten(clean) || 'file'
}

/** The header that names a download, RFC 6266. */
export const dispositionOf = (name: string, isInline: boolean): string =>
  create(safeName(name), { type: isInline ? 'inline' : 'attachment' })
