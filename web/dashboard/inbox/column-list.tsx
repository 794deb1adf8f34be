import { ChevronDownIcon, ChevronUpIcon } from '@heroicons/react/16/solid'
import { ActionIcon, Checkbox, Group, Text } from '@mantine/core'
import { announce } from '../core/announce.tsx'
import { pageText } from '../core/page-text.ts'
import classes from './column-list.module.css'
import { useColumns, useDeletedColumns, usualColumns } from './table/columns.tsx'

interface Props {
  chosen: string[] | null
  onChange(columns: string[]): void
}

/** Swaps a column with its neighbour. */
function move(columns: string[], at: number, by: -1 | 1): string[] {
  const next = [...columns]
  const [column] = next.splice(at, 1)
  next.splice(at + by, 0, column!)
  return next
}

/** The columns of the table, which are chosen and ordered here. */
export function ColumnList({ chosen, onChange }: Props) {
  const columns = chosen ?? usualColumns
  const all = [...useColumns(), ...useDeletedColumns(columns)]
  const ids = columns.filter(id => all.some(one => one.id === id))
  const others = all.filter(({ id }) => !ids.includes(id))
  const ordered = [...ids.flatMap(id => all.find(one => one.id === id) ?? []), ...others]
  const toggle = (id: string) => onChange(ids.includes(id) ? ids.filter(one => one !== id) : [...ids, id])
  const step = (at: number, by: -1 | 1) => () => {
    onChange(move(ids, at, by))
    announce(pageText.ticketList.moved(ordered[at]!.label, at + by + 1))
  }
  return (
    <div>
      <Text size="sm" mb={4}>
        {pageText.ticketList.columns}
      </Text>
      <ul className={classes.columns} aria-label={pageText.ticketList.columns}>
        {ordered.map(({ id, label }, at) => (
          <li key={id}>
            <Group gap={4} wrap="nowrap">
              <Checkbox
                className={classes.column}
                size="sm"
                label={label}
                checked={ids.includes(id)}
                disabled={id === 'subject'}
                onChange={() => toggle(id)}
              />
              {ids.includes(id) && (
                <>
                  <ActionIcon
                    size={24}
                    disabled={at === 0}
                    aria-label={pageText.ticketList.moveUp(label)}
                    onClick={step(at, -1)}
                  >
                    <ChevronUpIcon width={14} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    size={24}
                    disabled={at === ids.length - 1}
                    aria-label={pageText.ticketList.moveDown(label)}
                    onClick={step(at, 1)}
                  >
                    <ChevronDownIcon width={14} aria-hidden />
                  </ActionIcon>
                </>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </div>
  )
}
