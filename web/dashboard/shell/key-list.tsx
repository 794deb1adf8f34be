import { QuestionMarkCircleIcon } from '@heroicons/react/20/solid'
import { Modal, Text, Title } from '@mantine/core'
import { Fragment } from 'react'
import { type Action, useAction, useActions } from '../core/actions.ts'
import { usePreferences } from '../core/preferences.ts'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'
import classes from './keys.module.css'
import { Keys } from './keys.tsx'

const isOpen = createStore(false)
export const openKeyList = () => isOpen.set(true)

type Keyed = Action & { keys: string }

/** `?`: every key that does something here, by its group. */
export function KeyList() {
  useAction({
    id: 'keys',
    icon: QuestionMarkCircleIcon,
    name: text.shell.showKeys,
    group: text.shell.anywhere,
    keys: '?',
    run: openKeyList,
  })
  const isShown = isOpen.use()
  const groups = Map.groupBy(
    useActions(isShown).filter((action): action is Keyed => Boolean(action.keys)),
    ({ group = text.shell.anywhere }) => group,
  )
  const { singleKeys } = usePreferences()
  return (
    <Modal opened={isShown} onClose={() => isOpen.set(false)} title={text.shell.keys} size="md">
      {!singleKeys && (
        <Text c="dimmed" mb="md">
          {text.shell.keysOff}
        </Text>
      )}
      {[...groups].map(([group, actions]) => (
        <Fragment key={group}>
          <Title order={3} mb="xs">
            {group}
          </Title>
          <dl className={classes.list}>
            {actions.map(({ id, name, keys }) => (
              <Fragment key={id}>
                <dt>{name}</dt>
                <dd>
                  <Keys keys={keys} />
                </dd>
              </Fragment>
            ))}
          </dl>
        </Fragment>
      ))}
    </Modal>
  )
}
