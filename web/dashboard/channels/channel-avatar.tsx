import { parseColor, printColor, textColorOn } from '../../../src/core/text/color.ts'
import classes from './channel-avatar.module.css'

interface Props {
  title: string
  color: string
  picture: string | null
  /** In pixels. */
  size: number
}

/** A custom channel's picture, or the first letter of its title on its colour. The title is beside it or in the label of the parent. */
export function ChannelAvatar({ title, color, picture, size }: Props) {
  const background = parseColor(color)
  const style = {
    width: size,
    height: size,
    fontSize: size * 0.6,
    background: printColor(background),
    color: printColor(textColorOn(background)),
  }
  return (
    <span className={classes.avatar} style={style} aria-hidden>
      {picture ? <img src={picture} alt="" /> : <span data-letter={[...title.trim()][0]?.toUpperCase()} />}
    </span>
  )
}
