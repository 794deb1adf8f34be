import { type AvatarProps, Avatar as Picture } from '@mantine/core'
import classes from './face.module.css'

interface Props extends Pick<AvatarProps, 'size' | 'src'> {
  name: string
}

/** One colour for one name, as bright as the others: initials are read on each. */
const hueOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7)

/** A picture, or initials. The name stands beside it or is said by what holds it. */
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
