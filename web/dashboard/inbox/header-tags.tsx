import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { text } from '../core/text.ts'
import { TagMark } from '../tickets/marks.tsx'
import classes from './ticket.module.css'

/** As many as fit on a line of a phone. */
const shownOnPhones = 2

/** The tags of the open ticket: on phones one line, whose button shows the others. */
export function HeaderTags({ tags }: { tags: string[] }) {
  const isPhone = useMediaQuery('(max-width: 30em)', undefined, { getInitialValueInEffect: false })
  const [isWhole, setWhole] = useState(false)
  const hidden = isPhone ? tags.length - shownOnPhones : 0
  const isCut = hidden > 0 && !isWhole
  return (
    <span className={classes.tags} data-cut={isCut || undefined}>
      {tags.slice(0, isCut ? shownOnPhones : undefined).map(tag => (
        <TagMark key={tag} tag={tag} />
      ))}
      {hidden > 0 && (
        <button
          type="button"
          className={classes.moreTags}
          aria-label={isWhole ? text.inbox.fewerTags : text.inbox.moreTags(hidden)}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? '−' : `+${hidden}`}
        </button>
      )}
    </span>
  )
}
