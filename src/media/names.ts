import { create } from 'content-disposition'
import { trimEnd } from '../core/text/trim.ts'
import { isVisible } from '../core/text/visible-text.ts'

/** Control characters, line breaks, and characters that change the direction of text. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu

const maxNameLength = 150

/** File systems accept no longer names. */
const maxNameBytes = 255

/** Shortens a name in the middle, so that it keeps its extension. */
function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= maxNameLength) return name
  const tail = /\.[^.]{1,20}$/u.exec(name)?.[0] ?? ''
  return characters.slice(0, maxNameLength - tail.length).join('') + tail
}

/** How browsers encode characters that would end the name in the header of a part. */
const escapedCharacters: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' }
export const decodePartName = (sent: string): string =>
  sent.replaceAll(/%22|%0D|%0A/gi, code => escapedCharacters[code.toUpperCase()]!)

function fitLength(name: string): string {
  const tail = /\.[^.]{1,20}$/u.exec(name)?.[0] ?? ''
  let bytesLeft = maxNameBytes - Buffer.byteLength(tail)
  let kept = ''
  for (const character of name.slice(0, name.length - tail.length)) {
    bytesLeft -= Buffer.byteLength(character)
    if (bytesLeft < 0) break
    kept += character
  }
  return kept + tail
}

/** The last part of what looks like a path, because programs save files under this name. */
export function fileName(sent: string): string {
  const name = sent.split(/[/\\]/).at(-1)!.toWellFormed().replace(unsafeCharacters, '_').trim()
  return isVisible(name) && !/^\.+$/.test(name) ? fitLength(name) : 'file'
}

/** A name that any system can save under: the last part of what looks like a path. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!
  const clean = trimEnd(last.replace(unsafeCharacters, '_').replace(/^[\s.]+/, ''), /[\s.]/).replace(
    /[<>:"|?*]/g,
    '_',
  )
  return shorten(clean) || 'file'
}

/** The header that names a download, RFC 6266. */
export const dispositionOf = (name: string, isInline: boolean): string =>
  create(safeName(name), { type: isInline ? 'inline' : 'attachment' })
