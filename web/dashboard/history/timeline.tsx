import { ArrowRightIcon } from '@heroicons/react/16/solid'
import { Badge, Button, Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { text } from '../core/text.ts'
import { When } from '../core/when.tsx'
import type { Ticket } from '../tickets/queries.ts'
import { type ChangeLine, type FieldLabels, linesOf, wordAuthor, wordType } from './change-words.ts'
import { type HistoryItem, historyQuery } from './queries.ts'
import classes from './timeline.module.css'
import { listNames, undoChange } from './undo-change.ts'

interface Props {
  ticket: Ticket
  labels: FieldLabels
}

/** Who changed what in a ticket, and when. */
export default function Timeline({ ticket, labels }: Props) {
  const query = useInfiniteQuery(historyQuery(ticket.workspace_id, ticket.id))
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  if (!data) return <Skeleton height={160} role="status" aria-label={text.shell.loading} />
  const items = data.pages.flatMap(page => page.items)
  if (items.length === 0) return <Text c="dimmed">{text.history.none}</Text>
  return (
    <>
      <ol className={classes.timeline} aria-label={text.history.title}>
        {items.map(item => (
          <Entry key={item.id} item={item} ticket={ticket} labels={labels} />
        ))}
      </ol>
      {hasNextPage && (
        <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {text.history.older}
        </Button>
      )}
    </>
  )
}

function Entry({ item, ticket, labels }: Props & { item: HistoryItem }) {
  const lines = linesOf(item, labels)
  const isTitled = lines.length === 0 || item.undoes !== null || item.type === 'ticket.created'
  const shown = item.type === 'ticket.created' ? [] : lines
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <bdi className={classes.author}>{wordAuthor(item)}</bdi>
        <Text span size="xs" c="dimmed">
          <When time={item.at} />
        </Text>
      </div>
      {isTitled && <div>{wordType(item)}</div>}
      {shown.map(line => (
        <Line key={line.field} line={line} />
      ))}
      <Marks item={item} />
      {item.can_undo && <UndoButton item={item} ticket={ticket} labels={labels} lines={lines} />}
    </li>
  )
}

function Line({ line: { name, from, to, added, removed } }: { line: ChangeLine }) {
  const tags = [...added.map(text.history.added), ...removed.map(text.history.removed)]
  return (
    <div className={classes.line}>
      <bdi className={classes.field}>{name}</bdi>
      {tags.length > 0 ? (
        tags.map(tag => <bdi key={tag}>{tag}</bdi>)
      ) : (
        <span className={classes.values}>
          <bdi className={classes.old}>{from}</bdi> <span className="hidden">{text.history.to}</span>
          <ArrowRightIcon width={12} aria-hidden className={classes.arrow} /> <bdi>{to}</bdi>
        </span>
      )}
    </div>
  )
}

const Marks = ({ item: { undone_at, is_estimated } }: { item: HistoryItem }) => (
  <>
    {undone_at !== null && <Badge variant="default">{text.history.undone}</Badge>}
    {is_estimated && (
      <Badge variant="default" title={text.history.estimatedAbout}>
        {text.history.estimated}
      </Badge>
    )}
  </>
)

function UndoButton({ item, ticket, labels, lines }: Props & { item: HistoryItem; lines: ChangeLine[] }) {
  const [isRunning, setRunning] = useState(false)
  const undo = async () => {
    setRunning(true)
    await undoChange(ticket, item.id, labels)
    setRunning(false)
  }
  const what = lines.length > 0 ? listNames(lines.map(({ name }) => name)) : wordType(item)
  return (
    <Button
      size="compact-xs"
      variant="default"
      className={classes.undo}
      loading={isRunning}
      aria-label={text.history.undoOne(what)}
      onClick={undo}
    >
      {text.undo.undo}
    </Button>
  )
}
