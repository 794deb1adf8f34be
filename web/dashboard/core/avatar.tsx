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

/** A picture or initials. The name is shown beside it, or in the label of the parent. */
export function Avatar({ name, size = 34, src }: Props) {
  return (
    <Picture
      src={src}
      name={name}
      size={size}
      alt=""
      aria-hidden
      classNames={{ placeholder: classes.initials }}
      style={{ '--hue': hueOf(name) }}
    />
  )
}
