import { type AvatarProps, Avatar as Picture } from '@mantine/core'
import classes from './face.module.css'

interface Props extends Pick<AvatarProps, 'size' | 'src'> {
  name: string
}

/**
 * The same colour for the same name. All colours have a similar brightness, so that initials are readable.
 */
const hueOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7)

/** The first letters of two words, or of the only one. */
function initialsOf(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  const letters = second ? [[...first][0], [...second][0]] : [...first].slice(0, 2)
  return letters.join('').toUpperCase()
}

/** A picture or initials. The name is shown beside it, or in the label of the parent. */
export function Avatar({ name, size = 34, src }: Props) {
  return (
    <Picture
      src={src}
      size={size}
      alt=""
      aria-hidden
      classNames={{ placeholder: classes.initials }}
      style={{ '--hue': hueOf(name) }}
    >
      {/* The style sheet prints them, because the label of a button must contain its visible text. */}
      <span data-initials={initialsOf(name)} />
    </Picture>
  )
}
