import { Checkbox, Fieldset, SimpleGrid, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { catalogQuery } from './queries.ts'

interface Props {
  /** An empty list means all events. */
  value: string[]
  onChange(events: string[]): void
  error?: React.ReactNode
}

/** A test is sent whichever events are chosen. */
const isChosen = (name: string): boolean => name !== 'webhook.test'

/** Chooses all events, or some of them by subject. */
export function EventFields({ value, onChange, error }: Props) {
  const { id } = useProject()
  const { data: catalog = [] } = useQuery(catalogQuery(id))
  const names = catalog.map(({ name }) => name).filter(isChosen)
  const groups = Object.entries(Object.groupBy(names, name => name.split('.')[0]!))
  const turn = (name: string, isOn: boolean) =>
    onChange(isOn ? [...value, name] : value.filter(one => one !== name))
  return (
    <Stack gap="sm">
      <Switch
        label={pageText.webhooks.allEvents}
        description={pageText.webhooks.allEventsAbout}
        checked={value.length === 0}
        onChange={event => onChange(event.currentTarget.checked ? [] : names.slice(0, 1))}
        error={error}
      />
      {value.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {groups.map(([group, own = []]) => (
            <Fieldset key={group} legend={pageText.webhooks.groups[group] ?? group}>
              <Stack gap={6}>
                {own.map(name => (
                  <Checkbox
                    key={name}
                    size="xs"
                    label={name}
                    checked={value.includes(name)}
                    onChange={event => turn(name, event.currentTarget.checked)}
                  />
                ))}
              </Stack>
            </Fieldset>
          ))}
        </SimpleGrid>
      )}
    </Stack>
  )
}
