import { Modal, Text, Title } from '@mantine/core'
import { Fragment } from 'react'
import { type Action, useActions } from '../core/actions.ts'
import classes from '../core/key-caps.module.css'
import { Keys } from '../core/key-caps.tsx'
import { usePreferences } from '../core/preferences.ts'
import { text } from '../core/text.ts'
import { keyList } from './overlays.ts'

type Keyed = Action & { keys: string }

/** `?`: the list of all keys that work here, by group. */
export default function KeyList() {
  const isShown = keyList.use()
  const groups = Map.groupBy(
    useActions(isShown).filter((action): action is Keyed => Boolean(action.keys)),
    ({ group = text.shell.anywhere }) => group,
  )
  const { singleKeys } = usePreferences()
  return (
    <Modal opened={isShown} onClose={() => keyList.set(false)} title={text.shell.keys} size="md">
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
