import { Alert, Button, Group, Table, Text } from '@mantine/core'
import type { Failure } from './failure.ts'
import { text } from './text.ts'

type Values = Record<string, unknown>

interface Props<V extends Values> {
  failure: Failure | null
  mine: V
  /** The labels of the fields. */
  labels: Partial<Record<keyof V, string>>
  /** Converts the record on the server to values of the form. */
  read(current: never): V
  /** Replaces values that people cannot read, such as ids. */
  describe?(values: V): V
  onTake(theirs: V, current: never): void
  onKeep(current: never): void
}

const show = (value: unknown): string =>
  value === null || value === '' || value === undefined ? text.conflict.empty : String(value)

/** Shows both versions when two people have saved the same record, and offers a choice. */
export function Conflict<V extends Values>(props: Props<V>) {
  const { failure, labels, read, describe = values => values, onTake, onKeep } = props
  if (failure?.code !== 'SETTINGS_CHANGED') return null
  const { current } = failure.detail as { current: never }
  const theirs = read(current)
  const [mine, shown] = [describe(props.mine), describe(theirs)]
  const names = Object.keys(labels).filter(name => show(mine[name]) !== show(shown[name]))
  return (
    <Alert title={text.conflict.title} color="gray" role="alert">
      <Text size="sm">{text.conflict.about}</Text>
      <Table my="sm" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.conflict.field}</Table.Th>
            <Table.Th scope="col">{text.conflict.mine}</Table.Th>
            <Table.Th scope="col">{text.conflict.theirs}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map(name => (
            <Table.Tr key={name}>
              <Table.Td>{labels[name]}</Table.Td>
              <Table.Td>
                <Text lineClamp={6}>{show(mine[name])}</Text>
              </Table.Td>
              <Table.Td>
                <Text lineClamp={6}>{show(shown[name])}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group>
        <Button onClick={() => onKeep(current)}>{text.conflict.keep}</Button>
        <Button variant="default" onClick={() => onTake(theirs, current)}>
          {text.conflict.take}
        </Button>
      </Group>
    </Alert>
  )
}
